//! What a reader of a figure should know about what was read.

use std::fmt;
use std::path::{Path, PathBuf};

/// Something that was passed over, or read with a reservation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The file or folder.
    pub path: PathBuf,
    /// The key in it; absent where the whole is meant.
    pub key: Option<String>,
    /// What about it.
    pub what: String,
}

impl Note {
    /// About all of it.
    pub fn whole(path: &Path, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), key: None, what: what.into() }
    }

    /// About one key in it.
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
