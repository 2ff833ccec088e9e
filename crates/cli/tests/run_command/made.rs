//! A small recipe, and the command that trains it.

use crate::common::program;
use std::path::Path;

pub(crate) const SMALL: &str =
    "data.name = 'digits'\nnet.d = 16\nnet.blocks = 2\ntrain.epochs = 2\naudit.every = 0\n";

pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

pub(crate) fn run(recipe: &Path, out: &Path, more: &[&str]) -> std::process::Output {
    program()
        .args(["run", &recipe.display().to_string(), "--out", &out.display().to_string()])
        .args(more)
        .output()
        .expect("the program starts")
}
