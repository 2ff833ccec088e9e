//! Reading and writing a file of the source, whichever kind it is.

use crate::{Error, atomic};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const PLAIN: &str = "a file of the source is plain data";

/// A kind of file.
pub trait SourceFile: Serialize + DeserializeOwned {
    /// What must hold beyond the shape; the message names the key.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// A file read, and what in it was not understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading<T> {
    /// The file.
    pub content: T,
    /// Keys that no script reads and that are not kept, as paths such as `bp_log/*/lr`.
    pub extra: Vec<String>,
}

/// Reads a file. A missing key is an error that names file and key; an extra one is handed back.
pub fn read<T: SourceFile>(path: &Path) -> Result<Reading<T>, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::io("read", path, source))?;
    let content: T = serde_json::from_str(&text).map_err(|e| Error::malformed(path, e.to_string()))?;
    content.check().map_err(|problem| Error::malformed(path, problem))?;
    let given: Value = serde_json::from_str(&text).map_err(|e| Error::malformed(path, e.to_string()))?;
    let mut extra = BTreeSet::new();
    // What does not come back when the content is written again was not understood.
    compare(&given, &serde_json::to_value(&content).expect(PLAIN), "", &mut extra);
    Ok(Reading { content, extra: extra.into_iter().collect() })
}

/// Writes a file, atomically. JSON has no infinity and no NaN; content that holds one is refused.
pub fn write<T: SourceFile>(path: &Path, content: &T) -> Result<(), Error> {
    let mut text = serde_json::to_string(content).expect(PLAIN);
    if let Err(e) = serde_json::from_str::<T>(&text) {
        return Err(Error::malformed(path, format!("not written, a number in it is not finite: {e}")));
    }
    text.push('\n');
    atomic::write(path, text.as_bytes())
}

fn compare(given: &Value, kept: &Value, at: &str, extra: &mut BTreeSet<String>) {
    match (given, kept) {
        (Value::Object(given), Value::Object(kept)) => {
            for (key, value) in given {
                let at = if at.is_empty() { key.clone() } else { format!("{at}/{key}") };
                match kept.get(key) {
                    Some(kept) => compare(value, kept, &at, extra),
                    None => {
                        extra.insert(at);
                    }
                }
            }
        }
        (Value::Array(given), Value::Array(kept)) => {
            let at = format!("{at}/*");
            given.iter().zip(kept).for_each(|(given, kept)| compare(given, kept, &at, extra));
        }
        _ => {}
    }
}
