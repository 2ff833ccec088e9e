//! The program that trains a sweep: a copy in the sweep's folder, so that a new build or a new version in the middle changes
//! nothing.

use crate::{Error, Folder};
use record::{bounded, durable};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Which program a sweep was planned with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Version of the program.
    pub version: String,
    /// Version of its arithmetic.
    pub numerics: u32,
    /// SHA-256 of its file.
    pub hash: String,
}

impl Program {
    /// Copies this program into the sweep's folder.
    pub(crate) fn keep(folder: &Folder) -> Result<Self, Error> {
        let mut own = own()?;
        let mut hash = String::new();
        durable::write_program(&folder.program(), |copy| {
            hash = pour(&mut own, copy)?;
            Ok(())
        })?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Self { version, numerics: lab::NUMERICS, hash })
    }

    /// Fails unless this process is that program.
    pub(crate) fn check(&self, folder: &Folder) -> Result<(), Error> {
        let hash = pour(&mut own()?, &mut io::sink());
        if hash.map_err(|source| record::Error::io("read", Path::new("creditscope"), source))? == self.hash {
            return Ok(());
        }
        let version = env!("CARGO_PKG_VERSION");
        let difference = if version == self.version {
            format!("both are version {version}, but of different builds")
        } else {
            format!("version {} then, {version} now", self.version)
        };
        Err(Error::OtherProgram { difference, path: folder.program() })
    }
}

/// The file of this process.
fn own() -> Result<File, Error> {
    let path = std::env::current_exe();
    let path = path.map_err(|source| record::Error::io("find", Path::new("creditscope"), source))?;
    Ok(bounded::open(&path).map_err(|source| record::Error::io("read", &path, source))?)
}

/// Copies a file and returns its SHA-256. Piece by piece: a worker's memory is for its runs.
fn pour(from: &mut File, to: &mut dyn Write) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut piece = vec![0; 1 << 20];
    loop {
        match from.read(&mut piece)? {
            0 => return Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
            n => {
                digest.update(&piece[..n]);
                to.write_all(&piece[..n])?;
            }
        }
    }
}
