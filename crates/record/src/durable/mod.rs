//! The one writer of files that must survive a crash: whole files, and a log that only grows.
//!
//! Every change on disk goes through [`disk`], so that a model of crashes can take its place.

mod disk;
mod file;
mod log;
mod partial;

pub use file::{write, write_with};
pub use log::Log;
pub use partial::{clean, writer};
