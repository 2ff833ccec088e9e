//! How a command fails, and the exit code that says so.

use crate::remedy::{for_data, for_mlflow, with_flags};

/// Why a command did not do all that was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Something asked for did not hold; the words are on the screen already.
    #[error("")]
    DidNotHold,
    /// Usage or input that cannot be used.
    #[error("{0}")]
    Input(String),
    /// A fault of the program.
    #[error("{0}")]
    Internal(String),
    /// Stopped by Ctrl-C or a request to terminate.
    #[error("{0}")]
    Interrupted(String),
}

impl Failure {
    /// The exit code of an interrupted command: 128 and the signal's number, 2.
    pub(crate) const INTERRUPTED: u8 = 130;

    pub(crate) fn message(&self) -> Option<String> {
        Some(self.to_string()).filter(|text| !text.is_empty())
    }

    /// 1 did not hold, 2 bad input, 3 internal, or [`Self::INTERRUPTED`].
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::DidNotHold => 1,
            Self::Input(_) => 2,
            Self::Internal(_) => 3,
            Self::Interrupted(_) => Self::INTERRUPTED,
        }
    }
}

impl From<lab::Error> for Failure {
    fn from(error: lab::Error) -> Self {
        match error {
            lab::Error::Internal { .. } => Self::Internal(error.to_string()),
            lab::Error::Data(error) => Self::Input(for_data(&error)),
            other => Self::Input(with_flags(&other, other.remedies().iter().copied())),
        }
    }
}

impl From<data::Error> for Failure {
    fn from(error: data::Error) -> Self {
        Self::Input(for_data(&error))
    }
}

impl From<export::mlflow::Error> for Failure {
    fn from(error: export::mlflow::Error) -> Self {
        Self::Input(for_mlflow(&error))
    }
}

impl From<audit::dump::Error> for Failure {
    fn from(error: audit::dump::Error) -> Self {
        Self::Input(with_flags(&error, error.remedy()))
    }
}

impl From<record::Error> for Failure {
    fn from(error: record::Error) -> Self {
        Self::Input(with_flags(&error, error.remedies().iter().copied()))
    }
}

impl From<sweep::Error> for Failure {
    fn from(error: sweep::Error) -> Self {
        match error {
            sweep::Error::Lab(error) => error.into(),
            other => Self::Input(with_flags(&other, other.remedies().iter().copied())),
        }
    }
}
