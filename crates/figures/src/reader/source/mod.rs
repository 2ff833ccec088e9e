//! Trials from the files of the source. What a file does not say, its name and its folder tell.

mod log;
mod manifest;
mod place;
mod read;

pub(super) use read::{penalised, results, snapshot};
