//! Errors of the crates as exceptions, which `creditscope/_errors.py` defines.

use crate::remedy::with_keywords;
use pyo3::prelude::*;
use std::fmt::Display;

/// What went wrong: the name of an exception and its message.
#[derive(Debug)]
pub(crate) struct Fault {
    class: &'static str,
    message: String,
}

impl Fault {
    pub(crate) fn new(class: &'static str, message: impl Display) -> Self {
        Self { class, message: message.to_string() }
    }

    /// A bug in the program.
    pub(crate) fn internal(message: impl Display) -> Self {
        Self::new("InternalError", message)
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        Python::attach(|py| {
            let raise = || py.import("creditscope._errors")?.getattr(fault.class)?.call1((&fault.message,));
            raise().map_or_else(|broken| broken, Self::from_value)
        })
    }
}

impl From<record::Error> for Fault {
    fn from(error: record::Error) -> Self {
        let message = with_keywords(&error, error.remedies().iter().copied());
        match &error {
            record::Error::Io { source, .. } => Self::new(of_system(source), message),
            _ => Self::new("RunError", message),
        }
    }
}

impl From<lab::Error> for Fault {
    fn from(error: lab::Error) -> Self {
        let remedies = error.remedies().iter().copied();
        match error {
            lab::Error::Record(error) => error.into(),
            lab::Error::Data(error) => Self::new("DataError", crate::remedy::for_data(&error)),
            lab::Error::Internal { .. } => Self::internal(error),
            lab::Error::Recipe { .. }
            | lab::Error::UnknownKey { .. }
            | lab::Error::UnknownRun { .. }
            | lab::Error::Memory { .. }
            | lab::Error::Rule(
                rules::Error::Unknown { .. }
                | rules::Error::Setting { .. }
                | rules::Error::Unfit { .. }
                | rules::Error::Modifier(_),
            ) => Self::new("RecipeError", with_keywords(&error, remedies)),
            lab::Error::Rule(_) => Self::new("RuleError", error),
            _ => Self::new("RunError", with_keywords(&error, remedies)),
        }
    }
}

impl From<data::Error> for Fault {
    fn from(error: data::Error) -> Self {
        Self::new("DataError", crate::remedy::for_data(&error))
    }
}

impl From<audit::dump::Error> for Fault {
    fn from(error: audit::dump::Error) -> Self {
        let message = with_keywords(&error, error.remedy());
        match &error.fault {
            audit::dump::DumpFault::Content(arrays::Fault::Io(source)) => {
                Self::new(of_system(source), message)
            }
            _ => Self::new("DumpError", message),
        }
    }
}

/// The exception for a refusal of the operating system.
fn of_system(error: &std::io::Error) -> &'static str {
    match error.kind() {
        std::io::ErrorKind::NotFound => "MissingFileError",
        _ => "FileError",
    }
}
