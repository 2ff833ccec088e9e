//! CIFAR-10 and CIFAR-100 from their two official layouts.
//!
//! Both give the same bytes in the same order, so they have the same hash of the data set.

mod binary;
mod pickled;
#[cfg(test)]
mod tests;

use crate::Error;
use crate::catalogue::{CatalogueEntry, FileFormat, FilePart};
use crate::load::{Raw, check_labels};
use crate::presence::{self, FoundLayout};

/// The training and the test split.
pub(crate) fn read(entry: &'static CatalogueEntry, found: &FoundLayout) -> Result<(Raw, Raw), Error> {
    Ok((split(entry, found, FilePart::Train, entry.train)?, split(entry, found, FilePart::Test, entry.test)?))
}

fn split(
    entry: &'static CatalogueEntry,
    found: &FoundLayout,
    part: FilePart,
    samples: usize,
) -> Result<Raw, Error> {
    let inputs = entry.shape.len();
    let files: Vec<_> = found.layout.files.iter().filter(|file| file.part == part).collect();
    let samples_per_file = samples / files.len();
    let mut raw = Raw::new(samples, inputs);
    let pixels = raw.pixels.chunks_exact_mut(samples_per_file * inputs);
    let labels = raw.labels.chunks_exact_mut(samples_per_file);
    for ((file, pixels), labels) in files.into_iter().zip(pixels).zip(labels) {
        let path = found.path(file).ok_or_else(|| presence::vanished(entry, found, file))?;
        match found.layout.format {
            FileFormat::CifarPickle => pickled::read(&path, entry, pixels, labels)?,
            _ => binary::read(&path, entry, pixels, labels)?,
        }
        check_labels(entry, &path, labels)?;
    }
    Ok(raw)
}
