//! Files of a picture: PDF, PNG and SVG. Each is a canvas that the same walk over the picture draws on, and each has
//! the same bytes for the same picture.

mod bitmap;
mod canvas;
mod error;
mod metadata;
mod pdf;
mod pixels;
mod png;
mod raster;
mod shrink;
mod skia;
mod svg;
mod xml;

pub(crate) use bitmap::bitmap;
pub use error::OutputError;
pub use metadata::Metadata;
pub use pdf::pdf;
pub use png::png;
pub use svg::svg;
