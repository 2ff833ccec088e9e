//! Reading and writing the paper's files, of any kind.

use super::position::key_at;
use record::{Error, bounded, durable};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const PLAIN: &str = "a file of the paper is plain data";

/// A kind of file.
pub trait PaperFile: Serialize + DeserializeOwned {
    /// What must hold beyond the types; the message names the key.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Keys that the paper's version has and this one lacks, one sentence each.
    fn missing(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The content of a file, with its extra and missing keys.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "`content` says it")]
pub struct Reading<T> {
    pub content: T,
    /// Keys that no script reads, as paths such as `bp_log/*/lr`; they are not kept.
    pub extra: Vec<String>,
    /// See [`PaperFile::missing`]; empty after a strict [`read`].
    pub missing: Vec<String>,
}

/// Reads a file. A missing key is an error; extra ones are returned.
pub fn read<T: PaperFile>(path: &Path) -> Result<Reading<T>, Error> {
    let reading = read_leniently::<T>(path)?;
    match reading.missing.first() {
        Some(problem) => Err(Error::malformed(path, problem)),
        None => Ok(reading),
    }
}

/// Reads a file even if keys are missing, so that the rest can be drawn. Wrong types are still an error.
pub fn read_leniently<T: PaperFile>(path: &Path) -> Result<Reading<T>, Error> {
    let text = bounded::json(path, bounded::RECORD)?;
    let given: Value = serde_json::from_str(&text).map_err(|e| Error::malformed(path, not_json(&e)))?;
    let content: T = serde_json::from_str(&text).map_err(|e| Error::malformed(path, misshapen(&text, &e)))?;
    content.check().map_err(|problem| Error::malformed(path, problem))?;
    let mut extra = BTreeSet::new();
    // A key that is lost when the content is written again was not understood.
    compare(&given, &serde_json::to_value(&content).expect(PLAIN), "", &mut extra);
    let missing = content.missing();
    Ok(Reading { content, extra: extra.into_iter().collect(), missing })
}

/// Python writes numbers that are not finite as bare words, which JSON does not allow.
fn not_json(e: &serde_json::Error) -> String {
    format!("not JSON: {e} (a bare NaN or Infinity, as Python writes them, is not JSON either)")
}

/// A value of the wrong type, with its key.
fn misshapen(text: &str, e: &serde_json::Error) -> String {
    match key_at(text, e.line(), e.column()) {
        key if key.is_empty() => e.to_string(),
        key => format!("`{key}`: {e}"),
    }
}

/// Writes a file, atomically. JSON has no infinity and no NaN; content that holds one is refused.
pub fn write<T: PaperFile>(path: &Path, content: &T) -> Result<(), Error> {
    let mut text = serde_json::to_string(content).expect(PLAIN);
    // Such a number is written as `null`, which does not parse back.
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
