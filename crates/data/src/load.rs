//! Loads a data set into memory.

use std::path::Path;

use crate::catalogue::{self, CatalogueEntry, FileFormat};
use crate::normalise::Scale;
use crate::verify::{self, FileCheck, Outcome};
use crate::{DataSpec, Dataset, Error, Folder, Split, cifar, digits, idx, lq, presence, teacher};

/// Reads or generates a data set.
pub fn load(source: &DataSpec, folder: &Folder) -> Result<Dataset, Error> {
    match source {
        DataSpec::Digits => Ok(digits::load()),
        DataSpec::Teacher(spec) => teacher::generate(spec),
        DataSpec::Lq(spec) => Ok(lq::generate(spec)),
        DataSpec::Own(own) => own.load(),
        DataSpec::OnDisk(entry) => match source.published_hash() {
            Some(hash) => genuine_content(entry, hash, folder),
            None => genuine_files(entry, folder),
        },
    }
}

/// [`Dataset::hash`] of the real CIFAR-10, computed independently in Python from the official binary files.
pub(crate) const CIFAR10_HASH: &str = "0becfa1fe25f8f0ea4de3c15c0e5dd445a5333e074ab528f55ca276468472fb4";

/// Refuses samples that are not the published ones, whatever their layout.
fn genuine_content(
    entry: &'static CatalogueEntry,
    expected: &'static str,
    folder: &Folder,
) -> Result<Dataset, Error> {
    let data = load_entry(entry, folder)?;
    if data.hash == expected {
        return Ok(data);
    }
    let damaged = wrong_file(entry, folder)?;
    Err(damaged.unwrap_or(Error::Content { name: entry.name, found: data.hash, expected }))
}

/// Refuses files whose hash is not the published one, before they are decoded.
fn genuine_files(entry: &'static CatalogueEntry, folder: &Folder) -> Result<Dataset, Error> {
    presence::require(entry, folder)?;
    match wrong_file(entry, folder)? {
        Some(error) => Err(error),
        None => load_entry(entry, folder),
    }
}

/// The first file, in the layout that is read, whose hash is not the published one.
fn wrong_file(entry: &'static CatalogueEntry, folder: &Folder) -> Result<Option<Error>, Error> {
    let layout = presence::require(entry, folder)?.folder;
    for FileCheck { path, outcome } in verify::verify_entry(entry, folder)? {
        if let Outcome::Wrong { expected, found } = outcome
            && path.starts_with(&layout)
        {
            return Ok(Some(Error::WrongFile { name: entry.name, path, expected, found }));
        }
    }
    Ok(None)
}

/// Whether a data set is present and of the right size, without reading it whole.
pub fn check(source: &DataSpec, folder: &Folder) -> Result<(), Error> {
    match (source, catalogue::find(source.name())) {
        (DataSpec::Teacher(spec), _) => spec.check(),
        (_, Some(entry)) => presence::require(entry, folder).map(drop),
        (_, None) => Ok(()),
    }
}

/// Pixels and labels of one split, as in the files.
pub(crate) struct Raw {
    pub(crate) pixels: Vec<u8>,
    pub(crate) labels: Vec<u8>,
}

impl Raw {
    /// Buffers for `n` samples; files are read straight into them.
    pub(crate) fn new(n: usize, inputs: usize) -> Self {
        Self { pixels: vec![0; n * inputs], labels: vec![0; n] }
    }
}

/// Refuses labels that are not classes of the data set.
pub(crate) fn check_labels(entry: &CatalogueEntry, path: &Path, labels: &[u8]) -> Result<(), Error> {
    let &CatalogueEntry { name, classes, .. } = entry;
    match labels.iter().position(|&label| usize::from(label) >= classes) {
        Some(index) => {
            Err(Error::Label { name, path: path.to_path_buf(), index, label: labels[index].into(), classes })
        }
        None => Ok(()),
    }
}

/// A data set by its entry, whatever the hashes of its files are.
pub fn load_entry(entry: &'static CatalogueEntry, folder: &Folder) -> Result<Dataset, Error> {
    let found = presence::require(entry, folder)?;
    let (train, test) = match found.layout.format {
        FileFormat::CifarBinary | FileFormat::CifarPickle => cifar::read(entry, &found)?,
        FileFormat::Idx => idx::read(entry, &found)?,
    };
    let scale = Scale::new(255.0, entry.moments);
    let split = |raw: Raw| Split::images(raw.pixels, entry.shape, scale.clone(), raw.labels);
    Ok(Dataset::new(entry.name, entry.classes, split(train), split(test)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Remedy, TeacherSpec};

    #[test]
    fn check_says_what_load_would_without_reading() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::at(dir.path());
        check(&DataSpec::Digits, &folder).unwrap();
        check(&DataSpec::Teacher(TeacherSpec::default()), &folder).unwrap();
        let bad = TeacherSpec { classes: 0, ..TeacherSpec::default() };
        assert!(matches!(
            check(&DataSpec::Teacher(bad), &folder),
            Err(Error::Teacher { key: "classes", .. })
        ));
        for entry in catalogue::ALL {
            let source = DataSpec::OnDisk(entry);
            let checked = check(&source, &folder).unwrap_err();
            let loaded = load(&source, &folder).unwrap_err();
            assert_eq!(checked.to_string(), loaded.to_string());
            assert_eq!(checked.remedy(), Some(Remedy::Locate { name: entry.name }));
        }
        // Files of the right names and lengths satisfy it, whatever they contain.
        let files = dir.path().join("cifar-10-batches-bin");
        std::fs::create_dir(&files).unwrap();
        for file in catalogue::CIFAR10.layouts[0].files {
            let sparse = std::fs::File::create(files.join(file.name)).unwrap();
            sparse.set_len(file.bytes.unwrap()).unwrap();
        }
        check(&DataSpec::OnDisk(&catalogue::CIFAR10), &folder).unwrap();
        // Loading checks the content: these files are all black.
        let error = load(&DataSpec::OnDisk(&catalogue::CIFAR10), &folder).unwrap_err();
        assert!(error.to_string().contains("data_batch_1.bin"), "{error}");
        assert_eq!(error.remedy(), Some(Remedy::Fetch { name: "cifar10" }));
    }
}
