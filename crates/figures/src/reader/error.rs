//! What can go wrong with what a user points a figure at.

use super::Note;
use std::path::{Path, PathBuf};

/// Something that cannot be drawn from. Messages name the file, the key and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Nothing stands at a path.
    #[error("{} does not exist: expected {}", path.display(), wanted(others))]
    NotFound {
        /// The path as it was given.
        path: PathBuf,
        /// Files of others that would do.
        others: &'static str,
    },
    /// The operating system refused.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// On which file or folder.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file of a known kind that cannot be read.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// A file of a known kind whose content contradicts itself or cannot be used.
    #[error("{}: {problem}", path.display())]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it, with the key.
        problem: String,
    },
    /// A file that is none of the known kinds, given by itself.
    #[error("{} is not a record ({problem}): expected {}", path.display(), wanted(others))]
    Unknown {
        /// Which file.
        path: PathBuf,
        /// Why it is none.
        problem: String,
        /// Files of others that would do.
        others: &'static str,
    },
    /// Folders without anything to read.
    #[error("nothing to draw in {}: looked for {}{}", listed(paths), wanted(others), passed_over(notes))]
    Nothing {
        /// The paths as they were given.
        paths: Vec<PathBuf>,
        /// What was found there and passed over.
        notes: Vec<Note>,
        /// Files of others that would do.
        others: &'static str,
    },
}

impl ReadError {
    /// For [`Self::Io`].
    pub fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// For [`Self::Malformed`].
    pub fn malformed(path: &Path, problem: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), problem: problem.into() }
    }
}

/// What can be read.
fn wanted(others: &str) -> String {
    let others = if others.is_empty() { String::new() } else { format!(", or {others}") };
    format!("run directories (`run.json`), `audit.json`, sets of audits (JSON){others}")
}

fn listed(paths: &[PathBuf]) -> String {
    match paths {
        [] => "no path at all".to_owned(),
        paths => paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "),
    }
}

fn passed_over(notes: &[Note]) -> String {
    notes.iter().map(|note| format!("\n  passed over: {note}")).collect()
}
