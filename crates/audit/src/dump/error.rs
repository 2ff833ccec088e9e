//! Why a dump cannot be used.
//!
//! Readers of these messages wrote the dump with their own script, so each message names the tensor as they named it,
//! what was found there, and what to change in that script.

use record::Remedy;
use std::io;

/// A dump that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{dump}: {fault}")]
pub struct Error {
    /// The path of its file, or the name given to its arrays.
    pub dump: String,
    /// What is wrong with it.
    pub fault: DumpFault,
}

/// What is wrong with a dump.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DumpFault {
    /// The operating system refused to read it.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// It is not a file of a known format.
    #[error("{found}; {remedy}")]
    Format {
        /// What it seems to be.
        found: String,
        /// How to save a dump.
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
        "{what} would take {wanted} bytes of memory, {limit} are allowed; dump fewer samples, or omit tensors that the \
         audit does not use"
    )]
    TooLarge {
        /// What is too large.
        what: String,
        /// How much it would take, according to the file.
        wanted: u64,
        /// How much is allowed.
        limit: u64,
    },
    /// One tensor cannot be used.
    #[error("{tensor}: {what}; {remedy}")]
    Tensor {
        /// Its name in the file.
        tensor: String,
        /// What is wrong.
        what: String,
        /// What to do about it.
        remedy: String,
    },
    /// Tensors do not fit together, or some are missing.
    #[error("{what}; {remedy}")]
    Layout {
        /// What is wrong.
        what: String,
        /// What to do about it.
        remedy: String,
    },
    /// An option does not fit the dump, or is impossible.
    #[error("{what}; {advice}")]
    Options {
        /// What is wrong.
        what: String,
        /// What to do about it, in words.
        advice: &'static str,
        /// Which option to change.
        remedy: Remedy,
    },
}

impl Error {
    /// The option to change, if one helps. The message says in words how.
    pub fn remedy(&self) -> Option<Remedy> {
        match self.fault {
            DumpFault::Options { remedy, .. } => Some(remedy),
            _ => None,
        }
    }
}

impl DumpFault {
    pub(super) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }

    pub(super) fn tensor(tensor: &str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Tensor { tensor: tensor.to_owned(), what: what.into(), remedy: remedy.into() }
    }

    pub(super) fn layout(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Layout { what: what.into(), remedy: remedy.into() }
    }

    /// An error while reading `what`. If it is not from the operating system, the bytes end too early or do not unpack.
    pub(super) fn while_reading(what: &str, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::damaged(format!("{what} ends too early")),
            _ if error.raw_os_error().is_none() => {
                Self::damaged(format!("{what} cannot be unpacked ({error})"))
            }
            _ => Self::Io(error),
        }
    }
}
