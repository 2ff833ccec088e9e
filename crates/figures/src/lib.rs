//! The plot engine and the catalogue of figures. Reads records and nothing else, so that it works on imported files
//! too: [`reader`] turns files into trials, [`catalogue`] composes figures from them, [`plot`] lays a figure out as a
//! [`scene`], and [`output`] writes the scene as PDF, PNG or SVG.

pub mod catalogue;
mod files;
pub mod output;
pub mod picture;
pub mod plot;
pub mod published;
pub mod reader;
pub mod scene;
pub mod text;

pub use files::{File, FileError, Format, files};
