//! What can go wrong with pictures of the user's.

use std::path::PathBuf;

/// A picture that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The operating system refused.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A kind of file that is not understood.
    #[error("{} is not a picture that can be placed in a figure: give a .png or .svg file", path.display())]
    Kind {
        /// Which file.
        path: PathBuf,
    },
    /// A PDF file, which other programs turn into SVG.
    #[error("{} is a PDF file: convert it first, e.g. `pdftocairo -svg {} {}`",
        path.display(), path.display(), path.with_extension("svg").display())]
    Pdf {
        /// Which file.
        path: PathBuf,
    },
    /// A file that is not what its name says, or is damaged.
    #[error("{}: {problem}", path.display())]
    Broken {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file that holds something that cannot be drawn as it is meant.
    #[error("{} holds what cannot be drawn here ({}): {remedy}", path.display(), what.join(", "))]
    Unsupported {
        /// Which file.
        path: PathBuf,
        /// What it holds.
        what: Vec<String>,
        /// What to do.
        remedy: &'static str,
    },
}

/// What is wrong with the contents of a file, before its name is known.
#[derive(Debug)]
pub(super) enum Fault {
    /// Damaged, or not what it should be.
    Broken(String),
    /// Understood, but beyond what can be drawn.
    Unsupported { what: Vec<String>, remedy: &'static str },
}

impl Fault {
    pub(super) fn at(self, path: PathBuf) -> PictureError {
        match self {
            Self::Broken(problem) => PictureError::Broken { path, problem },
            Self::Unsupported { what, remedy } => PictureError::Unsupported { path, what, remedy },
        }
    }
}
