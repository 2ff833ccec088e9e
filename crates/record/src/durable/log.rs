//! A text file that grows by lines and has one writer.
//!
//! Who continues a log takes it over: the lines to keep are copied to a new file, which is renamed over the old one. A writer
//! that still has the old file open writes to a file without a name, so that two writers never mix their lines, and notices
//! before its next line that the file at the path is not its own. This needs no lock.

use super::disk::{self, Handle};
use super::partial::partial;
use crate::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The log and how long this writer made it.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: Handle,
    length: u64,
}

impl Log {
    /// Takes over a log to go on after its first `lines` lines; what comes after them is left behind.
    pub fn open(path: &Path, lines: u64) -> Result<Self, Error> {
        let partial = partial(path);
        let open = || {
            let kept = first(there(path)?, lines)?;
            let mut file = disk::create_new(&partial)?;
            file.write_all(&kept)?;
            file.sync()?;
            disk::rename(&partial, path)?;
            disk::sync_folder(path);
            Ok((file, kept.len() as u64))
        };
        let (file, length) = open().map_err(|source| {
            let _ = disk::remove(&partial);
            Error::io("continue", path, source)
        })?;
        Ok(Self { path: path.to_owned(), file, length })
    }

    /// Bytes written so far.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Whether the file at the path is the one that this writer made, with nothing added by others.
    pub fn is_ours(&self) -> Result<bool, Error> {
        let ours = || Ok(self.file.is_at(&self.path)? && self.file.length()? == self.length);
        ours().map_err(|source| Error::io("read", &self.path, source))
    }

    /// Adds a line.
    pub fn append(&mut self, line: &str) -> Result<(), Error> {
        let bytes = format!("{line}\n");
        self.file.write_all(bytes.as_bytes()).map_err(|source| Error::io("write", &self.path, source))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Returns when every line is on the disk.
    pub fn sync(&self) -> Result<(), Error> {
        self.file.sync().map_err(|source| Error::io("write", &self.path, source))
    }
}

/// What a log holds; nothing where there is none.
fn there(path: &Path) -> std::io::Result<Vec<u8>> {
    match std::fs::read(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        other => other,
    }
}

/// The first `lines` lines of a text.
fn first(mut text: Vec<u8>, lines: u64) -> std::io::Result<Vec<u8>> {
    let line_ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let mut ends = std::iter::once(0).chain(line_ends);
    let Some(end) = usize::try_from(lines).ok().and_then(|lines| ends.nth(lines)) else {
        let message = "it is shorter than the checkpoint says; remove both to train this run from its start";
        return Err(std::io::Error::other(message));
    };
    text.truncate(end);
    Ok(text)
}
