//! Tells whether a file changed since it was last looked at.

use crate::bounded;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// A file as it was at a look: two equal stamps are of the same content, as far as the system says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// When it was last written, by the clock of the file system.
    pub modified: SystemTime,
    /// Bytes.
    pub length: u64,
    /// Which file the name leads to: one that is renamed over another is another.
    file: u64,
}

impl Stamp {
    /// Looks at a file. It is opened for that: a network file system may answer a question about a name from memory, and asks its
    /// server when a file is opened.
    pub fn of(path: &Path) -> io::Result<Self> {
        Self::of_file(&bounded::open(path)?)
    }

    /// The same of an open file.
    pub(crate) fn of_file(file: &File) -> io::Result<Self> {
        let meta = file.metadata()?;
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&meta);
        #[cfg(not(unix))]
        let number = 0;
        Ok(Self { modified: meta.modified()?, length: meta.len(), file: number })
    }

    /// Whether both are of one file, which may have grown.
    pub(crate) fn same_file(&self, other: &Self) -> bool {
        self.file == other.file
    }
}
