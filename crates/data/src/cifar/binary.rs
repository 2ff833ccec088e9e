//! CIFAR's binary records: label bytes, then 3,072 pixels, without header or separator.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

use crate::Error;
use crate::catalogue::CatalogueEntry;
use crate::digest::CHUNK;

/// Reads one file.
pub(super) fn read(
    path: &Path,
    entry: &CatalogueEntry,
    pixels: &mut [u8],
    labels: &mut [u8],
) -> Result<(), Error> {
    // CIFAR-100 stores the coarse class before the fine one, which is the one to train on.
    let label_bytes = if entry.classes > 10 { 2 } else { 1 };
    let inputs = entry.shape.len();
    let expected = (labels.len() * (label_bytes + inputs)) as u64;
    let file = File::open(path).map_err(Error::io("open", path))?;
    let found = file.metadata().map_err(Error::io("read", path))?.len();
    let wrong_length = |found| Error::Length {
        name: entry.name,
        path: path.to_path_buf(),
        expected,
        found,
        unpacked: false,
    };
    if found != expected {
        return Err(wrong_length(found));
    }
    let failed = |error: std::io::Error| match error.kind() {
        // The file shrank while it was read.
        ErrorKind::UnexpectedEof => wrong_length(path.metadata().map_or(0, |meta| meta.len())),
        _ => Error::io("read", path)(error),
    };
    let mut reader = BufReader::with_capacity(CHUNK, file);
    let mut head = [0; 2];
    for (image, label) in pixels.chunks_exact_mut(inputs).zip(labels) {
        reader.read_exact(&mut head[..label_bytes]).map_err(failed)?;
        *label = head[label_bytes - 1];
        reader.read_exact(image).map_err(failed)?;
    }
    Ok(())
}
