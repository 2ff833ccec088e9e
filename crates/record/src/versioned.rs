//! Files that say the version of their format.

use crate::{Error, bounded};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Reads a file that says its schema; refuses one of another version.
pub fn versioned<T: DeserializeOwned>(path: &Path, known: &'static str, what: &str) -> Result<T, Error> {
    #[derive(Deserialize)]
    struct Version {
        schema: String,
    }
    let text = bounded::json(path, bounded::RECORD)?;
    let broken = |e: serde_json::Error| Error::malformed(path, format!("not {what}: {e}"));
    let version: Version = serde_json::from_str(&text).map_err(broken)?;
    if version.schema != known {
        return Err(Error::Schema { path: path.to_owned(), found: version.schema, known });
    }
    serde_json::from_str(&text).map_err(broken)
}
