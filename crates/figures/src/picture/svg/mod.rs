//! SVG files.

mod paint;
mod read;

pub(super) use read::picture;
