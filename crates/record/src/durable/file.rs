//! Files that are either the old one or the new one, whenever the power goes.

use super::disk::{self, Handle};
use super::partial::partial;
use crate::Error;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes to a temporary file in the same folder, syncs, and renames over it. When it returns, the new content is what a crash
/// leaves.
pub fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    write_with(path, |file| file.write_all(content))
}

/// The same, for content that is better written piece by piece.
pub fn write_with(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Error> {
    put(path, content, |_| Ok(()))
}

/// The same for a program, which everybody may execute as soon as it has its name.
pub fn write_program(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Error> {
    put(path, content, Handle::make_executable)
}

fn put(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    prepare: impl FnOnce(&Handle) -> std::io::Result<()>,
) -> Result<(), Error> {
    let partial = partial(path);
    let written = (|| {
        let mut file = BufWriter::new(disk::create_new(&partial)?);
        let filled = content(&mut file).and_then(|()| file.flush());
        // Taken apart without a further attempt to write: an error was seen already.
        let (mut file, _): (Handle, _) = file.into_parts();
        let ready = filled.and_then(|()| prepare(&file)).and_then(|()| file.sync());
        ready.and_then(|()| file.rename(path)).inspect_err(|_| {
            let _ = disk::remove(&partial);
        })?;
        disk::sync_folder_of(path)
    })();
    written.map_err(|source| Error::io("write", path, source))
}
