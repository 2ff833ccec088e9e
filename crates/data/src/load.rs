//! From a source to a data set in memory.

use crate::catalogue::{self, Entry, Format};
use crate::scale::Scale;
use crate::{Dataset, Error, Folder, Source, Split, cifar, digits, idx, locate, teacher};

/// Reads or makes a data set.
pub fn load(source: &Source, folder: &Folder) -> Result<Dataset, Error> {
    match source {
        Source::Digits => Ok(digits::load()),
        Source::Teacher(spec) => teacher::generate(spec),
        Source::Cifar10 => load_entry(&catalogue::CIFAR10, folder),
        Source::Cifar100 => load_entry(&catalogue::CIFAR100, folder),
        Source::Mnist => load_entry(&catalogue::MNIST, folder),
        Source::FashionMnist => load_entry(&catalogue::FASHION_MNIST, folder),
    }
}

/// Whether a data set is there and of the right size, without reading it whole.
pub fn check(source: &Source, folder: &Folder) -> Result<(), Error> {
    match (source, catalogue::find(source.name())) {
        (Source::Teacher(spec), _) => spec.check(),
        (_, Some(entry)) => locate::require(entry, folder).map(drop),
        (_, None) => Ok(()),
    }
}

/// Pixels and labels of one split, as they come from the files.
pub(crate) struct Raw {
    pub(crate) pixels: Vec<u8>,
    pub(crate) labels: Vec<u8>,
}

impl Raw {
    /// Room for `n` samples, allocated once; the files are read straight into it.
    pub(crate) fn new(n: usize, inputs: usize) -> Self {
        Self { pixels: vec![0; n * inputs], labels: vec![0; n] }
    }
}

pub(crate) fn load_entry(entry: &'static Entry, folder: &Folder) -> Result<Dataset, Error> {
    let found = locate::require(entry, folder)?;
    let (train, test) = match found.layout.format {
        Format::CifarBinary | Format::CifarPickle => cifar::read(entry, &found)?,
        Format::Idx => idx::read(entry, &found)?,
    };
    let scale = Scale::new(255.0, entry.moments);
    let split = |raw: Raw| Split::images(raw.pixels, entry.shape, scale.clone(), raw.labels);
    Ok(Dataset::new(entry.name, entry.classes, split(train), split(test)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TeacherSpec;

    #[test]
    fn check_says_what_load_would_without_reading() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::at(dir.path());
        check(&Source::Digits, &folder).unwrap();
        check(&Source::Teacher(TeacherSpec::default()), &folder).unwrap();
        let bad = TeacherSpec { classes: 0, ..TeacherSpec::default() };
        assert!(matches!(check(&Source::Teacher(bad), &folder), Err(Error::Teacher { key: "classes", .. })));
        for source in [Source::Cifar10, Source::Cifar100, Source::Mnist, Source::FashionMnist] {
            let (checked, loaded) =
                (check(&source, &folder).unwrap_err(), load(&source, &folder).unwrap_err());
            assert_eq!(checked.to_string(), loaded.to_string());
            assert!(checked.to_string().contains(&format!("creditscope data fetch {}", source.name())));
        }
        // Files of the right names and lengths satisfy it, whatever they hold.
        let files = dir.path().join("cifar-10-batches-bin");
        std::fs::create_dir(&files).unwrap();
        for file in catalogue::CIFAR10.layouts[0].files {
            let sparse = std::fs::File::create(files.join(file.name)).unwrap();
            sparse.set_len(file.bytes.unwrap()).unwrap();
        }
        check(&Source::Cifar10, &folder).unwrap();
    }
}
