//! Files that the command line names.

use crate::failure::Failure;
use std::path::Path;

/// Whether a file can be there at all.
pub(super) fn has_folder(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(Failure::Input(format!(
            "cannot write {}: there is no folder {}; create it first",
            path.display(),
            folder.display()
        ))),
        _ => Ok(()),
    }
}

/// Writes a file, whole or not at all.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    record::atomic::write(path, text.as_bytes()).map_err(|error| match error {
        record::Error::Io { source, .. } => Failure::Input(format!(
            "cannot write {}: {source}: name a file in a folder that you may write to",
            path.display()
        )),
        other => other.into(),
    })
}
