//! Files that are either the old one or the new one, whenever the power goes.

use crate::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

/// Suffix of a file that is still being written. One left behind by a kill is overwritten by the next write.
const PARTIAL: &str = "partial";

/// Writes to a temporary name beside `path`, syncs, and renames over it.
pub fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    write_with(path, |file| file.write_all(content))
}

/// The same, for content that is better written piece by piece.
pub fn write_with(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), Error> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let partial = path.with_file_name(format!(".{name}.{PARTIAL}"));
    let written = (|| {
        let mut file = BufWriter::new(File::create(&partial)?);
        content(&mut file)?;
        file.into_inner()?.sync_all()?;
        fs::rename(&partial, path)?;
        // The rename itself lives in the folder, which has to reach the disk as well.
        File::open(path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")))?.sync_all()
    })();
    written.map_err(|source| {
        let _ = fs::remove_file(&partial);
        Error::io("write", path, source)
    })
}
