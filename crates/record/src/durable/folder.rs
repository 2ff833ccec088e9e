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

/// Gives a finished file or folder, whose content is on the disk, its name in the same file system. When it returns, a crash
/// leaves it there.
pub fn put(from: &Path, to: &Path) -> Result<(), Error> {
    let put = disk::rename(from, to).and_then(|()| disk::sync_folder_of(to));
    put.map_err(|source| Error::io("write", to, source))
}

/// Creates a folder in one that exists, where it is missing.
pub fn create_folder(path: &Path) -> Result<(), Error> {
    let created = disk::create_folder(path).and_then(|()| disk::sync_folder_of(path));
    created.map_err(|source| Error::io("create", path, source))
}

/// Removes a folder that nobody needs, with what is in it. That a crash may bring it back harms nobody.
pub fn discard(path: &Path) -> Result<(), Error> {
    disk::remove(path).map_err(|source| Error::io("remove", path, source))
}
