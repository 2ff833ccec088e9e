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
}
