//! The crate as its readers and writers use it. One program, so that runs made by hand are made in one place.

mod choice;
mod directories;
mod durable;
mod export;
mod gaps;
mod made;
mod needs;
mod numbers;
mod scripts;
mod series;
mod source_files;
mod units;
