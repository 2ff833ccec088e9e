//! Writes a scene as PDF, PNG or SVG. Each is a canvas for the same traversal, and the same scene gives the same bytes.

mod bitmap;
mod canvas;
mod definitions;
mod error;
mod metadata;
mod pdf;
mod pixels;
mod png;
mod raster;
mod shrink;
pub(crate) mod skia;
mod svg;
mod svg_text;
mod xml;

pub(crate) use bitmap::bitmap;
pub use error::OutputError;
pub use metadata::Metadata;
pub use pdf::pdf;
pub use png::{DPI, DPI_RANGE, png};
pub use svg::{Sheet, svg};
