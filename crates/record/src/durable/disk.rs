//! The few operations that change something on disk. Nothing else in this folder touches the file system for writing.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::Path;

/// An open file.
#[derive(Debug)]
pub(super) struct Handle(File);

impl Handle {
    /// Whether everything written is on the disk, or why not.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }

    pub(super) fn length(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Whether the file at a path is this one. The path is opened anew: network file systems remember what they last said of
    /// a name, but ask again when it is opened.
    pub(super) fn is_at(&self, path: &Path) -> io::Result<bool> {
        match File::open(path) {
            Ok(there) => same(&self.0.metadata()?, &there.metadata()?),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(e) => Err(e),
        }
    }
}

#[cfg(unix)]
fn same(a: &Metadata, b: &Metadata) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok((a.dev(), a.ino()) == (b.dev(), b.ino()))
}

/// Files have no number here that the standard library tells; length and birth come close.
#[cfg(not(unix))]
fn same(a: &Metadata, b: &Metadata) -> io::Result<bool> {
    Ok((a.len(), a.created()?) == (b.len(), b.created()?))
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A file that was not there before.
pub(super) fn create_new(path: &Path) -> io::Result<Handle> {
    File::create_new(path).map(Handle)
}

pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

pub(super) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

/// A rename lives in the folder, which has to reach the disk as well. Best effort: some network file systems and Windows
/// refuse it, and the file is whole in any case.
pub(super) fn sync_folder(of: &Path) {
    let folder = of.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
