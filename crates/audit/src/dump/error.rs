//! Why a dump cannot be used.
//!
//! The reader of these messages wrote the dump with a script of their own, so each one names the tensor as they
//! named it, says what was found there, and what to change in that script.

use record::Remedy;
use std::io;

/// A dump that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{dump}: {fault}")]
pub struct Error {
    /// The path of its file, or the name of its arrays in memory.
    pub dump: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a dump.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The system does not let it be read.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// It is not a file of a kind that is read here.
    #[error("{found}; {remedy}")]
    Format {
        /// What it seems to be.
        found: String,
        /// How to make a dump.
        remedy: String,
    },
    /// The file contradicts itself.
    #[error("the file is damaged or cut short: {what}; write or copy it again")]
    Damaged {
        /// Where and how.
        what: String,
    },
    /// It would take more memory than an audit may.
    #[error(
        "{what} would take {wanted} bytes of memory, {limit} are allowed; dump fewer samples, or leave out what the \
         audit does not use"
    )]
    TooLarge {
        /// What is too large.
        what: String,
        /// How much it would take, as far as the file says.
        wanted: u64,
        /// How much there may be.
        limit: u64,
    },
    /// One tensor cannot be used.
    #[error("{tensor}: {what}; {remedy}")]
    Tensor {
        /// Its name, as the file has it.
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
    /// What the caller says about the dump does not fit it, or cannot be.
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
    /// The option that helps, where one does. The message says in words what to do with it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self.fault {
            Fault::Options { remedy, .. } => Some(remedy),
            _ => None,
        }
    }
}

impl Fault {
    pub(super) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }

    pub(super) fn tensor(tensor: &str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Tensor { tensor: tensor.to_owned(), what: what.into(), remedy: remedy.into() }
    }

    pub(super) fn layout(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Layout { what: what.into(), remedy: remedy.into() }
    }

    /// An error while reading `what`. One that the system did not report comes from bytes that end too early or do
    /// not unpack.
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
