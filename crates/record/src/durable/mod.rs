//! The one writer of files that must survive a crash: whole files, a log that only grows, and the folders that hold them.
//!
//! Every change on disk goes through [`disk`], so that a model of crashes can take its place.

pub mod disk;
mod file;
mod folder;
mod log;
mod partial;

pub use file::{write, write_program, write_with};
pub use folder::{create_folder, create_folders, discard, put, sync_folder};
pub use log::{Holder, Log};
pub use partial::{clean, partial, writer};
