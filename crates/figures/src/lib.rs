//! The plot engine and the catalogue of figures, drawn from records alone: [`reader`] turns files into trials,
//! [`catalogue`] composes figures from them, [`plot`] lays a figure out as a [`scene`], and [`output`] writes the scene as
//! PDF, PNG or SVG.
//!
//! A program that draws needs [`Request`], [`Records`], [`Style`], [`Typesetter`], [`FIGURES`] and [`files`]. The modules
//! are public for composing other figures and for tests.

mod caption;
pub mod catalogue;
mod files;
pub mod output;
mod picture;
pub mod plot;
pub mod reader;
pub mod scene;
pub mod text;

pub use catalogue::options;
pub use catalogue::{Assignment, KEYS, OptionError, Options, Refusal, Span, VENUES, Venue};
pub use catalogue::{CatalogueError, Composition, Drawing, Entry, FIGURES, Leading, Published, Request};
pub use files::{File, FileError, Format, files, script};
pub use output::{DPI, DPI_RANGE, Metadata, Sheet};
pub use picture::{Picture, PictureError, load as load_picture};
pub use plot::Style;
pub use reader::Records;
pub use text::{Family, Typesetter};
