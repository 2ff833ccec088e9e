//! What can go wrong with what a user points a figure at.

use super::Note;
use std::path::{Path, PathBuf};

/// Something that cannot be drawn from. Messages name the file, the key and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Nothing stands at a path.
    #[error("{} does not exist: give a run directory, a folder of runs, an audit, or a file or folder of the source's results", path.display())]
    NotFound {
        /// The path as it was given.
        path: PathBuf,
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
    #[error(
        "{} is not a record ({problem}): expected a run directory or one of its files, `audit.json`, what `creditscope audit --json` prints, `results_cifar10.json`, `snapshot_*.json` or `dfa_pen_lam*.json`",
        path.display()
    )]
    Unknown {
        /// Which file.
        path: PathBuf,
        /// Why it is none.
        problem: String,
    },
    /// Folders without anything to read.
    #[error(
        "nothing to draw in {}: looked for run directories (`run.json`), `audit.json`, what `creditscope audit --json` prints, and the source's `results_cifar10.json`, `snapshot_*.json` and `dfa_pen_lam*.json`{}",
        listed(paths),
        passed_over(notes)
    )]
    Nothing {
        /// The paths as they were given.
        paths: Vec<PathBuf>,
        /// What was found there and passed over.
        notes: Vec<Note>,
    },
}

impl ReadError {
    pub(super) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    pub(super) fn malformed(path: &Path, problem: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), problem: problem.into() }
    }
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
