//! Errors of writing a picture.

use super::png::DPI_RANGE;

/// Why a picture cannot be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum OutputError {
    #[error("a page of {width} × {height} points: each side must be above 0 and at most {most}")]
    Page { width: f64, height: f64, most: f64 },
    #[error("a resolution of {dpi} dots per inch: give a number from {} to {}", DPI_RANGE.start(), DPI_RANGE.end())]
    Resolution { dpi: f64 },
    #[error(
        "{width} × {height} pixels are too many (at most {most} per side and {total} in total): lower the resolution"
    )]
    Pixels { width: u64, height: u64, most: u64, total: u64 },
    #[error("{what} has coordinates that are not finite: this is a bug in the figure")]
    Place { what: String },
    #[error(
        "an image of {width} × {height} pixels holds another number of them: this is a bug in the figure"
    )]
    Bitmap { width: u32, height: u32 },
    #[error("the picture cannot be written as {format}: {reason}")]
    Writer { format: &'static str, reason: String },
}
