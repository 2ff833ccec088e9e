//! The few operations that change something on disk. Nothing else in this folder touches the file system for writing.
//!
//! Each is announced before it is done, so that a test can [`mount`] something that records the changes below a folder, as a
//! model of crashes needs them, or makes one of them fail. Without a mount that costs a look at an empty list.

use crate::bounded;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// A change that is about to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Change<'a> {
    /// A file that must not be there yet.
    CreateNew {
        path: &'a Path,
    },
    /// Bytes at the end of an open file.
    Append {
        path: &'a Path,
        bytes: &'a [u8],
    },
    /// The content of an open file reaches the disk.
    Sync {
        path: &'a Path,
    },
    Rename {
        from: &'a Path,
        to: &'a Path,
    },
    /// The names in a folder reach the disk.
    SyncFolder {
        path: &'a Path,
    },
    Remove {
        path: &'a Path,
    },
    CreateFolder {
        path: &'a Path,
    },
}

impl Change<'_> {
    /// Where the change is made.
    pub fn path(&self) -> &Path {
        match self {
            Self::CreateNew { path }
            | Self::Append { path, .. }
            | Self::Sync { path }
            | Self::Rename { from: path, .. }
            | Self::SyncFolder { path }
            | Self::Remove { path }
            | Self::CreateFolder { path } => path,
        }
    }
}

/// A change that fails.
#[derive(Debug)]
pub struct Fault {
    /// What the caller is told.
    pub error: io::Error,
    /// How many bytes of an [`Change::Append`] are written all the same.
    pub written: usize,
}

/// Sees every change below a folder before it is made, and may refuse it.
pub trait Disk: Send + Sync {
    /// Answers a change.
    fn change(&self, change: Change<'_>) -> Result<(), Fault>;
}

/// What is mounted where.
static MOUNTS: RwLock<Vec<(PathBuf, Arc<dyn Disk>)>> = RwLock::new(Vec::new());

/// Lets a disk see the changes below a folder, in all threads, until the guard is dropped. For tests.
#[must_use = "dropping the guard ends it"]
pub fn mount(folder: &Path, disk: Arc<dyn Disk>) -> Mounted {
    MOUNTS.write().unwrap_or_else(PoisonError::into_inner).push((folder.to_owned(), disk));
    Mounted(folder.to_owned())
}

/// A disk is mounted.
#[derive(Debug)]
pub struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        MOUNTS.write().unwrap_or_else(PoisonError::into_inner).retain(|(folder, _)| *folder != self.0);
    }
}

fn announce(change: Change<'_>) -> Result<(), Fault> {
    let mounts = MOUNTS.read().unwrap_or_else(PoisonError::into_inner);
    let above = mounts.iter().filter(|(folder, _)| change.path().starts_with(folder));
    above.map(|(_, disk)| disk).try_for_each(|disk| disk.change(change))
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        fault.error
    }
}

/// An open file.
#[derive(Debug)]
pub(super) struct Handle {
    file: File,
    path: PathBuf,
}

impl Handle {
    /// Whether everything written is on the disk, or why not.
    pub(super) fn sync(&self) -> io::Result<()> {
        announce(Change::Sync { path: &self.path })?;
        self.file.sync_all()
    }

    /// Lets everybody execute the file. Before its content is synced: that takes the permissions along.
    #[cfg(unix)]
    pub(super) fn make_executable(&self) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        self.file.set_permissions(fs::Permissions::from_mode(0o755))
    }

    #[cfg(not(unix))]
    pub(super) fn make_executable(&self) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Gives the file another name; what was there of that name is gone.
    pub(super) fn rename(&mut self, to: &Path) -> io::Result<()> {
        rename(&self.path, to)?;
        self.path = to.to_owned();
        Ok(())
    }

    /// Whether this file, and no other, is at its path; `None` where nothing is. The path is opened anew: network file systems
    /// remember what they last said of a name, but ask again when it is opened.
    pub(super) fn is_in_place(&self) -> io::Result<Option<bool>> {
        match bounded::open(&self.path).and_then(|there| there.metadata()) {
            Ok(there) => same_file(&there, &self.file.metadata()?).map(Some),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }
}

#[cfg(unix)]
fn same_file(a: &fs::Metadata, b: &fs::Metadata) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok((a.dev(), a.ino()) == (b.dev(), b.ino()))
}

/// Files have no number here that the standard library tells; length and birth come close.
#[cfg(not(unix))]
fn same_file(a: &fs::Metadata, b: &fs::Metadata) -> io::Result<bool> {
    Ok((a.len(), a.created()?) == (b.len(), b.created()?))
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(Fault { error, written }) = announce(Change::Append { path: &self.path, bytes }) {
            self.file.write_all(&bytes[..written])?;
            return Err(error);
        }
        // All of it, so that what was announced is what was done.
        self.file.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file that was not there before. What is there already, a link that leads nowhere included, is left alone.
pub(super) fn create_new(path: &Path) -> io::Result<Handle> {
    announce(Change::CreateNew { path })?;
    Ok(Handle { file: File::create_new(path)?, path: path.to_owned() })
}

/// Gives a file or a folder another name in the same file system.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    announce(Change::Rename { from, to })?;
    fs::rename(from, to)
}

/// Removes a file, or a folder with what is in it.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    announce(Change::Remove { path })?;
    if fs::symlink_metadata(path)?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

/// A folder in one that exists; it may be there already.
pub(super) fn create_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    announce(Change::CreateFolder { path })?;
    match fs::create_dir(path) {
        // Another process was faster.
        Err(e) if e.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        done => done,
    }
}

/// The folder that a path is in, [`sync_folder`].
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    sync_folder(path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// Names live in the folder, which has to reach the disk as well. Some systems cannot sync a folder, or refuse it where it
/// may not be read; then the names reach the disk when the system likes.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    announce(Change::SyncFolder { path: folder })?;
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(e) if !cfg!(unix) || is_unable(&e) => Ok(()),
        done => done,
    }
}

fn is_unable(error: &io::Error) -> bool {
    use ErrorKind::{InvalidInput, PermissionDenied, ReadOnlyFilesystem, Unsupported};
    matches!(error.kind(), InvalidInput | PermissionDenied | ReadOnlyFilesystem | Unsupported)
}
