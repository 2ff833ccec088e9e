//! Folders whose names are on the disk, so that no crash takes what is written into them.

use super::disk;
use crate::Error;
use std::path::Path;

/// Creates a folder and those above it, where they are missing.
///
/// The names of all levels of the path are synced, also of those that exist: whoever created them may have been killed before
/// it came to that.
pub fn create_folders(path: &Path) -> Result<(), Error> {
    let levels: Vec<&Path> = path.ancestors().filter(|level| level.file_name().is_some()).collect();
    levels.into_iter().rev().try_for_each(create_folder)
}

/// Returns when the names in a folder are on the disk.
pub fn sync_folder(path: &Path) -> Result<(), Error> {
    disk::sync_folder(path).map_err(|source| Error::io("write", path, source))
}

/// Creates a folder in one that exists, where it is missing.
pub fn create_folder(path: &Path) -> Result<(), Error> {
    let created = disk::create_folder(path).and_then(|()| disk::sync_folder_of(path));
    created.map_err(|source| Error::io("create", path, source))
}
