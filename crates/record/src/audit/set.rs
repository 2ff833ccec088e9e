//! A set of audits.

use super::{Audit, Group, Pair, Warning};
use crate::{Error, versioned};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Several audits, seed by seed and side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditSet {
    /// Version of this format.
    pub schema: String,
    /// Every audit.
    pub audits: Vec<Audit>,
    /// Those that differ in nothing but their seed, together.
    pub groups: Vec<Group>,
    /// Groups against each other, by seed.
    pub pairs: Vec<Pair>,
    /// What a reader of the whole set should know.
    pub warnings: Vec<Warning>,
}

impl AuditSet {
    /// The version this program writes and reads.
    pub const SCHEMA: &str = "creditscope.audits/1";

    /// Reads a set from a file, such as `creditscope audit --json` prints it.
    pub fn read(path: &Path) -> Result<Self, Error> {
        versioned(path, Self::SCHEMA, "a set of audits")
    }
}
