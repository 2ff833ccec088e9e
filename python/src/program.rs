//! The command line.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Carries out a command line and returns its exit code. `program` are the words that start it as a process of its own. For
/// the whole life of the process: it takes over the signals.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, program: Vec<OsString>, words: Vec<OsString>) -> u8 {
    py.detach(|| creditscope_cli::run_within(&program, words, &creditscope_cli::on_signals()))
}
