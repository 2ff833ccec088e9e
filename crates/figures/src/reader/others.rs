//! Foreign files: not records of this program, but they hold trials, such as those of a published study. The crate that
//! knows them supplies the functions that read them.

use super::{Note, ReadError, Trial};
use serde_json::{Map, Value};
use std::path::Path;

/// Reads the trials of a file and notes what was skipped.
pub type ReadTrials = fn(&Path, &mut Vec<Note>) -> Result<Vec<Trial>, ReadError>;

/// Recognises a file by its name, or by the object in it.
pub type RecogniseFile = fn(&str, Option<&Map<String, Value>>) -> Option<OtherFile>;

/// A family of foreign files.
#[derive(Clone, Copy, Debug)]
pub struct OtherFiles {
    /// Their names for error messages; empty if there are none.
    pub names: &'static str,
    /// Recognises them.
    pub kind: RecogniseFile,
}

/// A recognised foreign file.
#[derive(Clone, Copy, Debug)]
pub enum OtherFile {
    /// It holds trials.
    Trials(ReadTrials),
    /// It holds none; the words say what it holds.
    NoTrials(&'static str),
}

impl OtherFiles {
    /// No foreign files.
    pub const NONE: Self = Self { names: "", kind: |_, _| None };
}
