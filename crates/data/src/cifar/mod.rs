//! CIFAR-10 and CIFAR-100 from their two official layouts.
//!
//! Both give the same bytes in the same order, so a data set's hash does not tell from which it came.

mod binary;
mod pickled;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::Error;
use crate::catalogue::{Entry, Format, Part};
use crate::load::Raw;
use crate::locate::{self, Found};

/// What every file of a split must fulfil.
pub(crate) struct Expect {
    pub(crate) name: &'static str,
    pub(crate) inputs: usize,
    pub(crate) classes: usize,
}

/// The training and the test split.
pub(crate) fn read(entry: &'static Entry, found: &Found) -> Result<(Raw, Raw), Error> {
    Ok((split(entry, found, Part::Train, entry.train)?, split(entry, found, Part::Test, entry.test)?))
}

fn split(entry: &'static Entry, found: &Found, part: Part, samples: usize) -> Result<Raw, Error> {
    let expect = Expect { name: entry.name, inputs: entry.shape.len(), classes: entry.classes };
    let files: Vec<_> = found.layout.files.iter().filter(|file| file.part == part).collect();
    let each = samples / files.len();
    let mut raw = Raw::new(samples, expect.inputs);
    let places = raw.pixels.chunks_exact_mut(each * expect.inputs).zip(raw.labels.chunks_exact_mut(each));
    for (file, (pixels, labels)) in files.into_iter().zip(places) {
        let path = found.path(file).ok_or_else(|| locate::vanished(entry, found, file))?;
        match found.layout.format {
            Format::CifarPickle => pickled::read(&path, &expect, pixels, labels)?,
            _ => binary::read(&path, &expect, pixels, labels)?,
        }
        check_labels(&path, &expect, labels)?;
    }
    Ok(raw)
}

fn check_labels(path: &Path, expect: &Expect, labels: &[u8]) -> Result<(), Error> {
    let &Expect { name, classes, .. } = expect;
    match labels.iter().position(|&label| usize::from(label) >= classes) {
        Some(index) => {
            Err(Error::Label { name, path: path.to_path_buf(), index, label: labels[index].into(), classes })
        }
        None => Ok(()),
    }
}
