//! Putting files of figures into a folder, or comparing with those that are there.

use crate::failure::Failure;
use figures::File;
use std::path::Path;

/// Writes files, each under its own name at once or not at all.
pub(super) fn write(files: &[File], out: &Path) -> Result<(), Failure> {
    record::durable::create_folders(out)?;
    for file in files {
        record::durable::write(&out.join(&file.name), &file.bytes)?;
    }
    Ok(())
}

/// The files on disk that differ from these, and how.
pub(super) fn differences(files: &[File], out: &Path) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for file in files {
        let path = out.join(&file.name);
        match std::fs::read(&path) {
            Ok(bytes) if bytes == file.bytes => {}
            Ok(_) => found.push(format!("{} differs", path.display())),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                found.push(format!("{} is missing", path.display()));
            }
            Err(e) => return Err(Failure::Input(format!("cannot read {}: {e}", path.display()))),
        }
    }
    Ok(found)
}
