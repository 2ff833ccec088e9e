//! A text file that grows by lines and has one writer.

use super::disk::{self, Handle};
use crate::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The log and how long this writer made it.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: Handle,
    length: u64,
}

impl Log {
    /// Opens a log to go on after its first `length` bytes; what comes after them is cut off. One of no bytes may be new.
    pub fn open(path: &Path, length: u64) -> Result<Self, Error> {
        let open = || {
            let file = match disk::open(path)? {
                None if length == 0 => Some(disk::create_new(path)?),
                there => there,
            };
            let refuse = |what| {
                io::Error::other(format!(
                    "it {what}; restore it from a copy, or remove both to train this run from its start"
                ))
            };
            let mut file = file.ok_or_else(|| refuse("is missing, and the checkpoint counts on it"))?;
            if file.length()? < length {
                return Err(refuse("is shorter than the checkpoint says"));
            }
            file.cut(length)?;
            disk::sync_folder_of(path)?;
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

    /// Whether the file is still at its path: neither removed nor replaced.
    pub fn is_in_place(&self) -> Result<bool, Error> {
        self.file.is_in_place().map_err(|source| Error::io("read", &self.path, source))
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
