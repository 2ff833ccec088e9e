//! Why arrays cannot be used.
//!
//! Readers of these messages wrote the file with their own script, so each message names the array as they named it, what was
//! found there, and what to change in that script.

use std::io;

/// What is wrong with a file of arrays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The operating system refused to read it.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// It is not a file of a known format.
    #[error("{found}; {remedy}")]
    Format {
        /// What it seems to be.
        found: String,
        /// How to save such a file.
        remedy: String,
    },
    /// The file contradicts itself.
    #[error("the file is damaged or truncated: {what}; write or copy it again")]
    Damaged {
        /// Where and how.
        what: String,
    },
    /// It would take more memory than allowed.
    #[error(
        "{what} would take {wanted} bytes of memory, {limit} are allowed; save fewer samples, or omit tensors that are not \
         used"
    )]
    TooLarge {
        /// What is too large.
        what: String,
        /// How much it would take, according to the file.
        wanted: u64,
        /// How much is allowed.
        limit: u64,
    },
    /// One array cannot be used.
    #[error("{tensor}: {what}; {remedy}")]
    Tensor {
        /// Its name in the file.
        tensor: String,
        /// What is wrong.
        what: String,
        /// What to do about it.
        remedy: String,
    },
    /// Arrays do not fit together, or some are missing.
    #[error("{what}; {remedy}")]
    Layout {
        /// What is wrong.
        what: String,
        /// What to do about it.
        remedy: String,
    },
}

impl Fault {
    /// The file contradicts itself here.
    pub fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }

    /// This array cannot be used.
    pub fn tensor(tensor: &str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Tensor { tensor: tensor.to_owned(), what: what.into(), remedy: remedy.into() }
    }

    /// Arrays do not fit together.
    pub fn layout(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Layout { what: what.into(), remedy: remedy.into() }
    }

    /// An error while reading `what`. If it is not from the operating system, the bytes end too early or do not unpack.
    pub(crate) fn while_reading(what: &str, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::damaged(format!("{what} ends too early")),
            _ if error.raw_os_error().is_none() => {
                Self::damaged(format!("{what} cannot be unpacked ({error})"))
            }
            _ => Self::Io(error),
        }
    }
}
