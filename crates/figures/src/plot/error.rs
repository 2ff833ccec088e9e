//! Why a figure cannot be drawn.

use crate::text::TextError;

/// Why a figure cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// A label is not understood.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The page cannot hold the panels.
    #[error(
        "a page of {width:.2} inches is too narrow for this figure; choose a larger width, or the style `paper`, whose letters are smaller"
    )]
    Narrow {
        /// Width of the page in inches.
        width: f64,
    },
}
