//! What can go wrong when a picture becomes a file.

/// A picture that cannot become a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OutputError {
    /// A page without an area, or an absurd one.
    #[error("a page of {width} × {height} points: each side must be above 0 and at most {most}")]
    Page {
        /// Its width.
        width: f64,
        /// Its height.
        height: f64,
        /// The longest that a side may be.
        most: f64,
    },
    /// A resolution that no picture has.
    #[error("a resolution of {dpi} dots an inch: give a number from 10 to 4800")]
    Resolution {
        /// The resolution.
        dpi: f64,
    },
    /// Too many pixels.
    #[error(
        "{width} × {height} pixels are too many (at most {most} a side and {total} in all): lower the resolution"
    )]
    Pixels {
        /// Pixels in a row.
        width: u64,
        /// Rows.
        height: u64,
        /// The most that a side may have.
        most: u64,
        /// The most that there may be.
        total: u64,
    },
    /// A place on the page that is not a number.
    #[error(
        "something is drawn at a place that is not a finite number ({what}): this is a fault of the figure"
    )]
    Place {
        /// What is drawn there.
        what: String,
    },
    /// An image without pixels, or with too few or too many of them.
    #[error(
        "an image of {width} × {height} pixels that does not hold as many: this is a fault of the figure"
    )]
    Bitmap {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The writer of a format failed.
    #[error("the picture cannot be written as {format}: {reason}")]
    Writer {
        /// The format.
        format: &'static str,
        /// Why not.
        reason: String,
    },
}
