//! What to do about an error, for the program to say as a command and for a library as a call.

use crate::Error;

/// What helps against an [`Error`].
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
    /// What helps, where the message does not say it itself.
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
