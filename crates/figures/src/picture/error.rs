//! Errors of reading the user's pictures.

use record::escape::path as shown;
use std::path::PathBuf;

/// Why a picture cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PictureError {
    #[error("cannot read {}: {source}", shown(path))]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{} is not a picture that can be placed in a figure: give a .png or .svg file", shown(path))]
    Kind { path: PathBuf },
    #[error("{} is a PDF file: convert it first, e.g. `pdftocairo -svg {} {}`",
        shown(path), shown(path), shown(&path.with_extension("svg")))]
    Pdf { path: PathBuf },
    #[error("{}: {problem}", shown(path))]
    Broken { path: PathBuf, problem: String },
    #[error("{} holds what cannot be drawn here ({}): {remedy}", shown(path), what.join(", "))]
    Unsupported { path: PathBuf, what: Vec<String>, remedy: &'static str },
}

/// What is wrong with the content of a file.
#[derive(Debug)]
pub(super) enum Fault {
    Broken(String),
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
