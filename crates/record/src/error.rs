//! What can go wrong with files.

use crate::Remedy;
use crate::escape::path as shown;
use std::path::{Path, PathBuf};

/// A file that cannot be read, written or understood. Messages name the file and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}{}", shown(path), help(action, source).0)]
    Io {
        /// What was tried, such as "write".
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is there but is not what it should be.
    #[error("{}: {problem}", shown(path))]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        problem: String,
    },
    /// Written by a newer program.
    #[error(
        "{} has schema `{found}`, this program reads `{known}`: use the version of creditscope that wrote it, or a newer one",
        shown(path)
    )]
    Schema {
        /// Which file.
        path: PathBuf,
        /// What it says.
        found: String,
        /// What is understood.
        known: &'static str,
    },
    /// No run where one was expected.
    #[error(
        "{} holds no run (no run.json in it or below it): give a run directory or a folder of runs",
        shown(path)
    )]
    NoRuns {
        /// Where was looked.
        path: PathBuf,
    },
}

/// How a refusal of the operating system can be helped.
fn help(action: &str, source: &std::io::Error) -> (&'static str, &'static [Remedy]) {
    use std::io::ErrorKind::{
        AlreadyExists, FileTooLarge, NotADirectory, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem,
        StorageFull,
    };
    match source.kind() {
        NotADirectory | AlreadyExists => {
            (": a file is in the way of the folder; choose another place", &[Remedy::OtherFolder])
        }
        _ if action == "read" => ("", &[]),
        StorageFull | QuotaExceeded | FileTooLarge => {
            (": free some space and continue; nothing already saved is lost", &[Remedy::Resume])
        }
        PermissionDenied | ReadOnlyFilesystem => {
            (": choose a folder you may write to", &[Remedy::OtherFolder])
        }
        _ => ("", &[]),
    }
}

impl Error {
    /// Wraps an operating-system error with what was being done.
    pub fn io(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    /// Says what is wrong with a file.
    pub fn malformed(path: &Path, problem: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), problem: problem.into() }
    }

    /// The settings that help.
    pub fn remedies(&self) -> &'static [Remedy] {
        match self {
            Self::Io { action, source, .. } => help(action, source).1,
            _ => &[],
        }
    }
}
