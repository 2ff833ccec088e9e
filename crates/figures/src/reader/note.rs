//! Notes on what was read.

use std::fmt;
use std::path::{Path, PathBuf};

/// Something that was skipped, or read with a caveat.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// File or folder.
    pub path: PathBuf,
    /// Key in the file; `None` for the whole file.
    pub key: Option<String>,
    /// The remark, which continues after path and key.
    pub what: String,
}

impl Note {
    /// A note on a whole file or folder.
    pub fn whole(path: &Path, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), key: None, what: what.into() }
    }

    /// A note on one key.
    pub fn at(path: &Path, key: impl Into<String>, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), key: Some(key.into()), what: what.into() }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            Some(key) => write!(f, "{}, `{key}`: {}", self.path.display(), self.what),
            None => write!(f, "{}: {}", self.path.display(), self.what),
        }
    }
}
