//! Files that are either the old one or the new one, whenever the power goes.

use crate::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The name of a file while it is being written. It holds the process, so that two writers by mistake cannot mix their
/// bytes.
fn partial(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.partial", std::process::id()))
}

/// Removes what a killed writer of `path` left behind.
pub fn clean(path: &Path) {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else { return };
    let prefix = format!(".{}.", name.to_string_lossy());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(&prefix) && name.ends_with(".partial") {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes to a temporary name beside `path`, syncs, and renames over it.
pub fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    write_with(path, |file| file.write_all(content))
}

/// The same, for content that is better written piece by piece.
pub fn write_with(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), Error> {
    let partial = partial(path);
    let written = (|| {
        let mut file = BufWriter::new(File::create(&partial)?);
        content(&mut file)?;
        file.into_inner()?.sync_all()?;
        fs::rename(&partial, path)?;
        sync_folder(path);
        Ok(())
    })();
    written.map_err(|source| {
        let _ = fs::remove_file(&partial);
        Error::io("write", path, source)
    })
}

/// The rename itself lives in the folder, which has to reach the disk as well. Best effort: some network file systems
/// and Windows refuse it, and the file is whole in any case.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
