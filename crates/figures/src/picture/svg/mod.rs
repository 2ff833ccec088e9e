//! SVG files.

mod expansion;
mod paint;
mod read;

pub(super) use read::picture;
