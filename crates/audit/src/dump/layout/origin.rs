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
        /// The name given by the caller.
        name: String,
    },
}

impl Origin {
    /// The id of an audit: the file's name without its extension, or the caller's name.
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
