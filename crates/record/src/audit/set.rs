//! A set of audits, and how files that say their version are read.

use super::{Audit, Group, Pair, Warning};
use crate::Error;
use serde::de::DeserializeOwned;
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

/// Reads a file that says its schema; refuses one of another version.
pub(super) fn versioned<T: DeserializeOwned>(
    path: &Path,
    known: &'static str,
    what: &str,
) -> Result<T, Error> {
    #[derive(Deserialize)]
    struct Version {
        schema: String,
    }
    let text = std::fs::read_to_string(path).map_err(|source| Error::io("read", path, source))?;
    let broken = |e: serde_json::Error| Error::malformed(path, format!("not {what}: {e}"));
    let version: Version = serde_json::from_str(&text).map_err(broken)?;
    if version.schema != known {
        return Err(Error::Schema { path: path.to_owned(), found: version.schema, known });
    }
    serde_json::from_str(&text).map_err(broken)
}
