//! Errors of reading records.

use super::Note;
use record::escape::path as shown;
use std::path::{Path, PathBuf};

/// Why nothing can be drawn from a path. `others` lists the foreign files that can be read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ReadError {
    #[error("{} does not exist: expected {}", shown(path), wanted(others))]
    NotFound { path: PathBuf, others: &'static str },
    #[error("cannot read {}: {source}", shown(path))]
    Io { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Record(#[from] record::Error),
    #[error("{}: {problem}", shown(path))]
    Malformed { path: PathBuf, problem: String },
    #[error("{} is not a record ({problem}): expected {}", shown(path), wanted(others))]
    Unknown { path: PathBuf, problem: String, others: &'static str },
    #[error("nothing to draw in {}: looked for {}{}", listed(paths), wanted(others), passed_over(notes))]
    Nothing { paths: Vec<PathBuf>, notes: Vec<Note>, others: &'static str },
}

impl ReadError {
    /// A [`Self::Io`].
    pub fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// A [`Self::Malformed`]; the problem names the key.
    pub fn malformed(path: &Path, problem: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), problem: problem.into() }
    }
}

fn wanted(others: &str) -> String {
    let others = if others.is_empty() { String::new() } else { format!(", or {others}") };
    format!("run directories (`run.json`), `audit.json`, sets of audits (JSON){others}")
}

fn listed(paths: &[PathBuf]) -> String {
    match paths {
        [] => "no path at all".to_owned(),
        paths => paths.iter().map(|path| shown(path)).collect::<Vec<_>>().join(", "),
    }
}

fn passed_over(notes: &[Note]) -> String {
    notes.iter().map(|note| format!("\n  passed over: {note}")).collect()
}
