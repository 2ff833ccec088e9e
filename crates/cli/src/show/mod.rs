//! How things look on a terminal: numbers, durations, tables.

mod number;
mod table;

pub(crate) use number::{bytes, count, duration, scientific, share};
pub(crate) use table::Table;

use std::io::Write;

/// Prints to standard output. A reader that has gone away, as `head` does, is no fault.
pub(crate) fn print(text: &str) {
    if let Err(e) = std::io::stdout().write_all(text.as_bytes())
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        eprintln!("creditscope: cannot write to standard output: {e}");
    }
}
