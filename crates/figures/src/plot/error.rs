//! Errors of drawing.

use super::style::Style;
use crate::text::TextError;

/// Why a figure cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum DrawError {
    #[error(transparent)]
    Text(#[from] TextError),
    #[error(
        "a page of {width:.2} inches is too narrow for this figure; choose a larger width{}",
        if *smaller { ", or the style `paper`, which has smaller text" } else { "" }
    )]
    Narrow {
        width: f64,
        /// Whether there is a style with smaller text.
        smaller: bool,
    },
    #[error("{height:.2} inches are too low for this figure, which needs {least:.2} at this width")]
    Low { height: f64, least: f64 },
    #[error("{height:.2} inches are too high for this figure, which fills {most:.2} at most at this width")]
    High { height: f64, most: f64 },
}

impl DrawError {
    /// The page of this style is too narrow.
    pub(super) fn narrow(style: &Style) -> Self {
        Self::Narrow { width: style.width / 72.0, smaller: style.tick > Style::paper().tick }
    }
}
