//! A text file that grows by lines and has one writer.

use super::disk::{self, Handle};
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
    /// Opens a log to go on after its first `length` bytes; what comes after them is cut off.
    pub fn open(path: &Path, length: u64) -> Result<Self, Error> {
        let open = || {
            let mut file = disk::open(path)?;
            if file.length()? < length {
                let message =
                    "it is shorter than the checkpoint says; remove both to train this run from its start";
                return Err(std::io::Error::other(message));
            }
            file.cut(length)?;
            disk::sync_folder(path);
            Ok(file)
        };
        let file = open().map_err(|source| Error::io("continue", path, source))?;
        Ok(Self { path: path.to_owned(), file, length })
    }

    /// Bytes written so far.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Whether no other process has written to the file.
    pub fn is_ours(&self) -> Result<bool, Error> {
        let length = self.file.length().map_err(|source| Error::io("read", &self.path, source))?;
        Ok(length == self.length)
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
