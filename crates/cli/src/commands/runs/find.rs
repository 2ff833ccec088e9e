//! Run directories on disk, the readable and the broken.

use crate::failure::Failure;
use crate::remedy::for_run;
use record::Run;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A run directory and what reading it gave.
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// The run, or what is wrong with it and what to do.
    pub(crate) run: Result<Run, String>,
}

/// Every run directory at or below the given paths, once each.
pub(crate) fn find<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for path in paths {
        must_be_folder(path.as_ref())?;
        for directory in record::find_runs(path.as_ref())? {
            // The same directory may be reached by two paths.
            if seen.insert(directory.canonicalize().unwrap_or_else(|_| directory.clone())) {
                found.push(Found { run: Run::read(&directory).map_err(|e| for_run(&e)), path: directory });
            }
        }
    }
    Ok(found)
}

/// One run directory.
pub(crate) fn read(path: &Path) -> Result<Run, Failure> {
    must_be_folder(path)?;
    if path.join(Run::RECORD).is_file() {
        return Run::read(path).map_err(|e| Failure::Input(for_run(&e)));
    }
    let inside = record::find_runs(path)?;
    let example = inside.first().map(|run| format!(", such as {}", run.display())).unwrap_or_default();
    Err(Failure::Input(format!(
        "{} is a folder of runs, not a run: give one of the {} in it{example}",
        path.display(),
        inside.len()
    )))
}

/// Refuses what is no folder.
pub(crate) fn must_be_folder(path: &Path) -> Result<(), Failure> {
    let problem = match path.metadata() {
        Ok(meta) if meta.is_dir() => return Ok(()),
        Ok(_) => "is a file: give the run directory or a folder of runs".to_owned(),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            "does not exist: give a run directory or a folder of runs, or train some with `creditscope demo`"
                .to_owned()
        }
        Err(e) => format!("cannot be read: {e}: give a run directory or a folder of runs"),
    };
    Err(Failure::Input(format!("{} {problem}", path.display())))
}
