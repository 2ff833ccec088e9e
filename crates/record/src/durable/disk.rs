//! The few operations that change something on disk. Nothing else in this folder touches the file system for writing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
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

    /// Cuts the file off after `length` bytes and goes there.
    pub(super) fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)?;
        self.0.seek(SeekFrom::End(0))?;
        Ok(())
    }
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

/// A file with what it holds already.
pub(super) fn open(path: &Path) -> io::Result<Handle> {
    OpenOptions::new().create(true).truncate(false).write(true).open(path).map(Handle)
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
