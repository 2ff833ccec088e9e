//! Reads `metrics.jsonl`, which only grows and may have been cut off by a kill.

use crate::{Epoch, Error, Run, bounded, escape};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// A line, as far as its schema.
#[derive(serde::Deserialize)]
struct Line {
    schema: Option<String>,
}

/// Bytes and lines of a log that were read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) bytes: u64,
    pub(crate) lines: usize,
}

/// The epochs of a log; none where there is no such file.
///
/// A last line without its end, as a kill leaves it, is not yet a line and is passed over.
pub(crate) fn read(path: &Path) -> Result<Vec<Epoch>, Error> {
    let Some(text) = bounded::text_if_there(path, bounded::LOG)? else { return Ok(Vec::new()) };
    epochs(&text, Place::default(), path)
}

/// The epochs of the whole lines of a text, which follows `before` in the log at a path.
pub(crate) fn epochs(text: &str, before: Place, path: &Path) -> Result<Vec<Epoch>, Error> {
    let text = escape::json(text);
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let parse = |(i, line): (usize, &str)| {
        let broken =
            |e: serde_json::Error| Error::malformed(path, format!("line {}: {e}", before.lines + i + 1));
        let Line { schema } = serde_json::from_str(line).map_err(broken)?;
        match schema.filter(|found| found != Epoch::SCHEMA) {
            Some(found) => Err(Error::Schema { path: path.to_owned(), found, known: Epoch::SCHEMA }),
            None => serde_json::from_str(line).map_err(broken),
        }
    };
    whole.lines().enumerate().map(parse).collect()
}

/// The last epoch that a run directory has logged, without reading what comes before; none where there is none, or where the
/// last line is not a line of a log.
pub fn last_epoch(directory: &Path) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Line {
        epoch: u64,
    }
    let mut file = bounded::open(&directory.join(Run::METRICS)).ok()?;
    let length = file.metadata().ok()?.len();
    // Lines are a few kilobytes each; with audits more. Where the tail holds no whole line, a longer one does.
    let mut tail = 16 * 1024;
    loop {
        let start = length.saturating_sub(tail);
        file.seek(SeekFrom::Start(start)).ok()?;
        let mut bytes = Vec::new();
        (&mut file).take(length - start).read_to_end(&mut bytes).ok()?;
        let ends: Vec<usize> =
            bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at).collect();
        let line = match *ends {
            [.., before, end] => &bytes[before + 1..end],
            [end] if start == 0 => &bytes[..end],
            _ if start == 0 => return None,
            _ => {
                tail *= 8;
                continue;
            }
        };
        return serde_json::from_slice::<Line>(line).ok().map(|line| line.epoch);
    }
}
