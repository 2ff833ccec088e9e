//! Reading and writing a file of the paper, whichever kind it is.

use super::position::key_at;
use record::{Error, durable};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const PLAIN: &str = "a file of the paper is plain data";

/// A kind of file.
pub trait PaperFile: Serialize + DeserializeOwned {
    /// What must hold beyond the shape; the message names the key.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Keys that the paper has in such a file and that are not there, as sentences that name the key.
    fn missing(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A file read, and what in it was not understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading<T> {
    /// The file.
    pub content: T,
    /// Keys that no script reads and that are not kept, as paths such as `bp_log/*/lr`.
    pub extra: Vec<String>,
    /// Keys that are not there, as sentences that name the key; empty where the reading was strict.
    pub missing: Vec<String>,
}

/// Reads a file. A missing key is an error that names file and key; an extra one is handed back.
pub fn read<T: PaperFile>(path: &Path) -> Result<Reading<T>, Error> {
    let reading = read_leniently::<T>(path)?;
    match reading.missing.first() {
        Some(problem) => Err(Error::malformed(path, problem)),
        None => Ok(reading),
    }
}

/// Reads a file as far as it goes: missing keys are handed back as extra ones are, so that what is there can be drawn. A
/// file of another shape is still an error.
pub fn read_leniently<T: PaperFile>(path: &Path) -> Result<Reading<T>, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::io("read", path, source))?;
    let given: Value = serde_json::from_str(&text).map_err(|e| Error::malformed(path, not_json(&e)))?;
    let content: T = serde_json::from_str(&text).map_err(|e| Error::malformed(path, misshapen(&text, &e)))?;
    content.check().map_err(|problem| Error::malformed(path, problem))?;
    let mut extra = BTreeSet::new();
    // What does not come back when the content is written again was not understood.
    compare(&given, &serde_json::to_value(&content).expect(PLAIN), "", &mut extra);
    let missing = content.missing();
    Ok(Reading { content, extra: extra.into_iter().collect(), missing })
}

/// Python writes numbers that are not finite as bare words, which no JSON reader takes.
fn not_json(e: &serde_json::Error) -> String {
    format!("not JSON: {e} (a bare NaN or Infinity, as Python writes them, is not JSON either)")
}

/// A value of the wrong type, with the key under which it stands.
fn misshapen(text: &str, e: &serde_json::Error) -> String {
    match key_at(text, e.line(), e.column()) {
        key if key.is_empty() => e.to_string(),
        key => format!("`{key}`: {e}"),
    }
}

/// Writes a file, atomically. JSON has no infinity and no NaN; content that holds one is refused.
pub fn write<T: PaperFile>(path: &Path, content: &T) -> Result<(), Error> {
    let mut text = serde_json::to_string(content).expect(PLAIN);
    // Such a number is written as nothing, and does not come back.
    let back = serde_json::from_str::<T>(&text).map(|back| serde_json::to_string(&back).expect(PLAIN));
    if back.is_ok_and(|back| back == text) {
        text.push('\n');
        return durable::write(path, text.as_bytes());
    }
    Err(Error::malformed(path, "not written, a number in it is not finite"))
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
