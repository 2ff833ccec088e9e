//! Where a dump comes from.

use std::fmt;
use std::path::PathBuf;

/// Where a dump comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File {
        /// Its path.
        path: PathBuf,
        /// SHA-256 of its bytes, in hexadecimal.
        hash: String,
    },
    /// Arrays in memory.
    Memory {
        /// What the caller calls them.
        name: String,
    },
}

impl Origin {
    /// The name of an audit: that of the file without its extension, or the caller's.
    pub(crate) fn id(&self) -> String {
        match self {
            Self::File { path, .. } => {
                path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
            }
            Self::Memory { name } => name.clone(),
        }
    }

    /// The hash of a file.
    pub(crate) fn hash(&self) -> Option<&String> {
        match self {
            Self::File { hash, .. } => Some(hash),
            Self::Memory { .. } => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, .. } => path.display().fmt(f),
            Self::Memory { name } => f.write_str(name),
        }
    }
}
