//! Why a dump cannot be used.
//!
//! Readers of these messages wrote the dump with their own script, so each message names the tensor as they named it,
//! what was found there, and what to change in that script.

use arrays::Fault;
use record::Remedy;

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
    /// Its file, an array in it, or what the arrays are together.
    #[error(transparent)]
    Content(#[from] Fault),
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
    pub(super) fn tensor(tensor: &str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Fault::tensor(tensor, what, remedy).into()
    }

    pub(super) fn layout(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Fault::layout(what, remedy).into()
    }
}
