//! Files that are either the old one or the new one, whenever the power goes.

use super::disk::{self, Handle};
use super::partial::partial;
use crate::Error;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes to a temporary file in the same folder, syncs, and renames over it.
pub fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    write_with(path, |file| file.write_all(content))
}

/// The same, for content that is better written piece by piece.
pub fn write_with(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Error> {
    let partial = partial(path);
    let written = (|| {
        let mut file = BufWriter::new(disk::create_new(&partial)?);
        content(&mut file)?;
        let file: Handle = file.into_inner()?;
        file.sync()?;
        disk::rename(&partial, path)?;
        disk::sync_folder(path);
        Ok(())
    })();
    written.map_err(|source| {
        let _ = disk::remove(&partial);
        Error::io("write", path, source)
    })
}
