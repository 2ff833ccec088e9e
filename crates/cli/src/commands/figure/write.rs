//! Putting files of figures into a folder, or comparing with those that are there.

use crate::failure::Failure;
use figures::File;
use std::path::{Path, PathBuf};

/// Writes files, each under its own name at once or not at all.
pub(super) fn write(files: &[File], out: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(out)
        .map_err(|e| Failure::Input(format!("cannot create the folder {}: {e}", out.display())))?;
    for file in files {
        record::durable::write(&out.join(&file.name), &file.bytes)?;
    }
    Ok(())
}

/// How a file on disk differs from the one that would be written.
pub(super) enum Difference {
    Missing(PathBuf),
    Changed(PathBuf),
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing(path) => write!(f, "{} is missing", path.display()),
            Self::Changed(path) => write!(f, "{} differs", path.display()),
        }
    }
}

/// Files on disk that differ from these.
pub(super) fn differences(files: &[File], out: &Path) -> Result<Vec<Difference>, Failure> {
    let mut found = Vec::new();
    for file in files {
        let path = out.join(&file.name);
        match std::fs::read(&path) {
            Ok(bytes) if bytes == file.bytes => {}
            Ok(_) => found.push(Difference::Changed(path)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => found.push(Difference::Missing(path)),
            Err(e) => return Err(Failure::Input(format!("cannot read {}: {e}", path.display()))),
        }
    }
    Ok(found)
}
