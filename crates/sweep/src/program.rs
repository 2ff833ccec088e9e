//! The program that trains a sweep: a copy in the sweep's folder, so that a new build or a new version in the middle changes
//! nothing.

use crate::{Error, Folder};
use record::durable;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
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
        let own = own()?;
        let to = folder.program();
        let read = |source| record::Error::io("read", &own, source);
        let mut file = File::open(&own).map_err(read)?;
        durable::write_with(&to, |copy| std::io::copy(&mut file, copy).map(|_| ()))?;
        executable(&to).map_err(|source| record::Error::io("write", &to, source))?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Self { version, numerics: lab::NUMERICS, hash: hash(&to)? })
    }

    /// Fails unless this process is that program.
    pub(crate) fn check(&self, folder: &Folder) -> Result<(), Error> {
        if hash(&own()?)? == self.hash {
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

fn own() -> Result<std::path::PathBuf, Error> {
    Ok(std::env::current_exe()
        .map_err(|source| record::Error::io("find", Path::new("creditscope"), source))?)
}

/// Piece by piece: a worker's memory is for its runs.
fn hash(path: &Path) -> Result<String, Error> {
    let read = |source| record::Error::io("read", path, source);
    let mut file = File::open(path).map_err(read)?;
    let mut digest = Sha256::new();
    let mut piece = vec![0; 1 << 20];
    loop {
        match file.read(&mut piece).map_err(read)? {
            0 => return Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
            n => digest.update(&piece[..n]),
        }
    }
}

#[cfg(unix)]
fn executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn executable(_path: &Path) -> std::io::Result<()> {
    Ok(())
}
