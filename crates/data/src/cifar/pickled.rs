//! CIFAR's Python batches: a dictionary with an array of pixels and a list of labels.

use std::fs::File;
use std::path::Path;

use crate::Error;
use crate::catalogue::CatalogueEntry;
use crate::pickle::{self, PickleFault};

/// Reads one file.
pub(super) fn read(
    path: &Path,
    entry: &CatalogueEntry,
    pixels: &mut [u8],
    labels: &mut [u8],
) -> Result<(), Error> {
    let &CatalogueEntry { name, classes, .. } = entry;
    let failed = |fault: PickleFault| {
        let path = path.to_path_buf();
        match fault {
            PickleFault::Io(source) => Error::Io { action: "read", path, source },
            PickleFault::Refused(global) => Error::Refused { name, path, global },
            PickleFault::Malformed { at, what } => {
                Error::Format { name, path, what: format!("not a readable pickle at byte {at}: {what}") }
            }
        }
    };
    let format = |what| Err(Error::Format { name, path: path.to_path_buf(), what });
    let file = File::open(path).map_err(Error::io("open", path))?;
    let key = if classes > 10 { "fine_labels" } else { "labels" };
    let mut batch = pickle::open(file, "data", key).map_err(failed)?;
    let expected = [labels.len() as u64, entry.shape.len() as u64];
    if batch.shape() != expected {
        return format(format!("`data` has shape {:?}, expected {expected:?}", batch.shape()));
    }
    if batch.labels().len() != labels.len() {
        return format(format!("`{key}` has {} labels, expected {}", batch.labels().len(), labels.len()));
    }
    for (index, (&label, target)) in batch.labels().iter().zip(labels).enumerate() {
        let wrong = |_| Error::Label { name, path: path.to_path_buf(), index, label, classes };
        *target = u8::try_from(label).map_err(wrong)?;
    }
    batch.read_data(pixels).map_err(failed)
}
