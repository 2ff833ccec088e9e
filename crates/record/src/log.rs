//! Reads `metrics.jsonl`, which only grows and may have been cut off by a kill.

use crate::{Epoch, Error, bounded, escape};
use std::path::Path;

/// A line, as far as its schema.
#[derive(serde::Deserialize)]
struct Line {
    schema: Option<String>,
}

/// The epochs of a log; none where there is no such file.
///
/// A last line without its end, as a kill leaves it, is not yet a line and is passed over.
pub(crate) fn read(path: &Path) -> Result<Vec<Epoch>, Error> {
    let Some(text) = bounded::text_if_there(path, bounded::LOG)? else { return Ok(Vec::new()) };
    let text = escape::json(&text);
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let parse = |(i, line): (usize, &str)| {
        let broken = |e: serde_json::Error| Error::malformed(path, format!("line {}: {e}", i + 1));
        let Line { schema } = serde_json::from_str(line).map_err(broken)?;
        match schema.filter(|found| found != Epoch::SCHEMA) {
            Some(found) => Err(Error::Schema { path: path.to_owned(), found, known: Epoch::SCHEMA }),
            None => serde_json::from_str(line).map_err(broken),
        }
    };
    whole.lines().enumerate().map(parse).collect()
}
