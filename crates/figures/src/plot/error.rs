//! Errors of drawing.

use crate::text::TextError;

/// Why a figure cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum DrawError {
    #[error(transparent)]
    Text(#[from] TextError),
    #[error(
        "a page of {width:.2} inches is too narrow for this figure; choose a larger width, or the style `paper`, which has smaller text"
    )]
    Narrow { width: f64 },
    #[error("{height:.2} inches are too low for this figure, which needs {least:.2} at this width")]
    Low { height: f64, least: f64 },
    #[error("{height:.2} inches are too high for this figure, which fills {most:.2} at most at this width")]
    High { height: f64, most: f64 },
}
