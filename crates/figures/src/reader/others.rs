//! Files that are no records of this program and hold trials all the same, such as those of a published study. The crate that
//! knows them reads them.

use super::{Note, ReadError, Trial};
use serde_json::{Map, Value};
use std::path::Path;

/// Reads the trials of a file, and notes what was passed over.
pub type ReadTrials = fn(&Path, &mut Vec<Note>) -> Result<Vec<Trial>, ReadError>;

/// What a file is: by its name, else by the object in it. None where it is not one of them.
pub type TellKind = fn(&str, Option<&Map<String, Value>>) -> Option<OtherFile>;

/// A kind of files that others write.
#[derive(Clone, Copy, Debug)]
pub struct OtherFiles {
    /// Their names, as messages list them; empty where there are none.
    pub names: &'static str,
    /// Tells what a file is.
    pub kind: TellKind,
}

/// What a file of others is.
#[derive(Clone, Copy, Debug)]
pub enum OtherFile {
    /// One that holds trials.
    Trials(ReadTrials),
    /// One that holds none; the words say what it holds.
    NoTrials(&'static str),
}

impl OtherFiles {
    /// No files of others.
    pub const NONE: Self = Self { names: "", kind: |_, _| None };
}
