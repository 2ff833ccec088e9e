//! `creditscope export paper-json`.

use crate::commands::runs::{Found, find};
use crate::failure::Failure;
use crate::show;
use paper::Report;
use std::path::{Path, PathBuf};

/// Writes the paper's files and says what became of every run and what each script will find.
pub(super) fn write(paths: &[PathBuf], out: &Path) -> Result<(), Failure> {
    let mut runs = Vec::new();
    let mut unreadable = Vec::new();
    for Found { path, run } in find(paths)? {
        match run {
            Ok(run) => runs.push(run),
            Err(problem) => {
                unreadable.push((path.display().to_string(), format!("cannot be read: {problem}")))
            }
        }
    }
    let mut report = if runs.is_empty() { Report::default() } else { paper::export(&runs, out)? };
    report.left_out.splice(0..0, unreadable);
    show::print(&report.text(out));
    if report.written.is_empty() {
        return Err(Failure::Input(format!(
            "nothing was written to {}: no run given has a place in the paper's files, for the reasons above",
            out.display()
        )));
    }
    Ok(())
}
