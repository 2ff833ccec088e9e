//! A text file that grows by lines and has one writer.
//!
//! Who continues a log takes it over: the lines to keep are copied to a new file, which is renamed over the old one. A writer
//! that still has the old file open writes to a file without a name, so that two writers never mix their lines, and notices
//! before its next line that the file at the path is not its own. This needs no lock.

use super::disk::{self, Handle};
use super::partial::partial;
use crate::{Error, bounded};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The log and how long this writer made it.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: Handle,
    length: u64,
}

/// Whom the log at a path belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The writer that asks: the file is the one it made, with nothing added by others.
    Us,
    /// Another writer, which took the log over or added to it.
    Another,
    /// Nobody: the file is gone.
    Nobody,
}

impl Log {
    /// Takes over a log to go on after its first `lines` lines; what comes after them is left behind.
    pub fn open(path: &Path, lines: u64) -> Result<Self, Error> {
        let open = || {
            let kept = first(there(path)?, lines)?;
            let partial = partial(path);
            let mut file = disk::create_new(&partial)?;
            let taken = file.write_all(&kept).and_then(|()| file.sync()).and_then(|()| file.rename(path));
            taken.inspect_err(|_| {
                let _ = disk::remove(&partial);
            })?;
            disk::sync_folder_of(path)?;
            Ok((file, kept.len() as u64))
        };
        let (file, length) = open().map_err(|source| Error::io("continue", path, source))?;
        Ok(Self { path: path.to_owned(), file, length })
    }

    /// Bytes written so far.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Whom the file at the path belongs to.
    pub fn holder(&self) -> Result<Holder, Error> {
        let holder = || {
            Ok(match self.file.is_in_place()? {
                None => Holder::Nobody,
                Some(true) if self.file.length()? == self.length => Holder::Us,
                Some(_) => Holder::Another,
            })
        };
        holder().map_err(|source| Error::io("read", &self.path, source))
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

/// What a log holds; `None` where there is none.
fn there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match bounded::bytes(path, bounded::LOG) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

/// The first `lines` lines of a text.
fn first(text: Option<Vec<u8>>, lines: u64) -> io::Result<Vec<u8>> {
    let refuse = |what| {
        io::Error::other(format!(
            "it {what}; restore it from a copy, or remove both to train this run from its start"
        ))
    };
    let mut text = match text {
        None if lines > 0 => return Err(refuse("is missing, and the checkpoint counts on it")),
        text => text.unwrap_or_default(),
    };
    let line_ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let mut ends = std::iter::once(0).chain(line_ends);
    let end = usize::try_from(lines).ok().and_then(|lines| ends.nth(lines));
    text.truncate(end.ok_or_else(|| refuse("is shorter than the checkpoint says"))?);
    Ok(text)
}
