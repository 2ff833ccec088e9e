//! What to do about an error: the program states it as a command, a library as a call.

use crate::Error;

/// What to do about an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Fetch the data set, or choose the folder that holds it.
    Locate {
        /// The data set.
        name: &'static str,
    },
    /// Fetch the data set; wrong and missing files are replaced.
    Fetch {
        /// The data set.
        name: &'static str,
    },
    /// Fetch it later, or get the file by other means and import it.
    Import {
        /// The data set.
        name: &'static str,
    },
}

impl Error {
    /// The remedy, unless the message itself states it.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match *self {
            Self::Missing { name, .. } => Remedy::Locate { name },
            Self::Incomplete { name, .. }
            | Self::Length { name, .. }
            | Self::WrongFile { name, .. }
            | Self::Content { name, .. }
            | Self::Format { name, .. }
            | Self::Label { name, .. }
            | Self::Refused { name, .. } => Remedy::Fetch { name },
            Self::Status { name, .. } | Self::Connection { name, .. } => Remedy::Import { name },
            Self::Hash { downloaded: Some(name), .. } => Remedy::Import { name },
            _ => return None,
        })
    }
}
