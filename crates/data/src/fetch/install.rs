//! Moves finished files into place, all or none.

use std::fs;
use std::path::{Path, PathBuf};

use crate::catalogue::DataFile;
use crate::digest::copy_with_md5;
use crate::{Error, Folder};
use record::durable;

/// A temporary folder next to the target, removed unless it is installed.
pub(super) struct Staging {
    folder: PathBuf,
}

impl Staging {
    /// An empty staging folder, on the same file system as the target so that renaming works.
    pub(super) fn new(folder: &Folder) -> Result<Self, Error> {
        // Those that killed processes left.
        let staging = durable::partial(&folder.path().join("unpacking"));
        durable::create_folder(&staging).map_err(Error::durable("create", &staging))?;
        Ok(Self { folder: staging })
    }

    /// Copies a file in, under `name`, and checks it against its published hash or, without one, its length.
    pub(super) fn add(
        &self,
        from: &mut dyn std::io::Read,
        source: &Path,
        file: &DataFile,
        name: &str,
    ) -> Result<(), Error> {
        let path = self.folder.join(name);
        let mut copied = None;
        let written = durable::write_with(&path, |target| {
            let copied = copied.insert(copy_with_md5(from, target, source, &path));
            copied.as_ref().map(|_| ()).map_err(|error| std::io::Error::other(error.to_string()))
        });
        // What went wrong with the copy says more than that it could not be written.
        let copied = copied.transpose()?;
        written.map_err(Error::durable("write", &path))?;
        let (hash, length) = copied.unwrap_or_default();
        let expected = if name == file.name { file.md5 } else { file.gz_md5 };
        match (expected, file.bytes) {
            (Some(expected), _) if expected != hash => Err(Error::Hash {
                path: source.to_path_buf(),
                expected: expected.to_owned(),
                found: hash,
                downloaded: None,
            }),
            (None, Some(expected)) if expected != length => Err(Error::Archive {
                archive: source.to_path_buf(),
                what: format!("{name} has {length} bytes where {expected} are expected"),
            }),
            _ => Ok(()),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // After an installation it is gone or empty; after a failure this cleans up.
        if self.folder.exists() {
            let _ = durable::discard(&self.folder);
        }
    }
}

/// Moves the staged files to `target`: as one folder if it does not exist yet, else file by file.
pub(super) fn install(staging: Staging, target: &Path) -> Result<(), Error> {
    if let Some(parent) = target.parent() {
        durable::create_folders(parent).map_err(Error::durable("create", parent))?;
    }
    if !target.exists() {
        return durable::put(&staging.folder, target).map_err(Error::durable("create", target));
    }
    let entries = fs::read_dir(&staging.folder).map_err(Error::io("read", &staging.folder))?;
    for entry in entries {
        let entry = entry.map_err(Error::io("read", &staging.folder))?;
        let path = target.join(entry.file_name());
        durable::put(&entry.path(), &path).map_err(Error::durable("replace", &path))?;
    }
    Ok(())
}
