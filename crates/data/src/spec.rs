//! Which data set a recipe asks for.

use crate::catalogue::{self, CatalogueEntry};
use crate::own::{ENDING, OwnData};
use crate::{Error, ImageShape, LqDataSpec, TeacherSpec, digits};
use std::path::Path;

/// A data set by name, with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum DataSpec {
    /// The built-in 8×8 digits.
    Digits,
    /// Gaussian inputs labelled by a random network.
    Teacher(TeacherSpec),
    /// Gaussian numbers for a linear-quadratic system.
    Lq(LqDataSpec),
    /// Images on disk.
    OnDisk(&'static CatalogueEntry),
    /// A user's own arrays.
    Own(OwnData),
}

/// The sizes of a data set, known before it is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// Features of a sample.
    pub inputs: usize,
    /// Number of classes.
    pub classes: usize,
    /// Training samples.
    pub train: usize,
    /// Test samples.
    pub test: usize,
}

impl DataSpec {
    /// Every name, in the order of lists.
    pub const NAMES: [&'static str; 7] =
        ["digits", "teacher", "lq", "cifar10", "cifar100", "mnist", "fashion-mnist"];

    /// The data set of this name, with default parameters.
    pub fn named(name: &str) -> Result<Self, Error> {
        Ok(match name {
            "digits" => Self::Digits,
            "teacher" => Self::Teacher(TeacherSpec::default()),
            "lq" => Self::Lq(LqDataSpec::default()),
            _ => Self::OnDisk(
                catalogue::find(name).ok_or_else(|| Error::UnknownName { name: name.to_owned() })?,
            ),
        })
    }

    /// Whether this names a user's own file instead of a data set.
    pub fn is_file(word: &str) -> bool {
        word.ends_with(ENDING) && word.len() > ENDING.len()
    }

    /// The data set of this name, or the file at this path.
    pub fn of(word: &str) -> Result<Self, Error> {
        if Self::is_file(word) { OwnData::open(Path::new(word)).map(Self::Own) } else { Self::named(word) }
    }

    /// The name in recipes and on the command line; of a file, without its folder.
    pub fn name(&self) -> &str {
        match self {
            Self::Digits => "digits",
            Self::Teacher(_) => "teacher",
            Self::Lq(_) => "lq",
            Self::OnDisk(entry) => entry.name,
            Self::Own(own) => own.name(),
        }
    }

    /// The sizes that [`load`](crate::load) will give.
    pub fn dimensions(&self) -> Dimensions {
        match self {
            Self::Digits => Dimensions {
                inputs: digits::SHAPE.len(),
                classes: digits::CLASSES,
                train: digits::TRAIN,
                test: digits::TEST,
            },
            Self::Teacher(spec) => {
                let &TeacherSpec { inputs, classes, train, test, .. } = spec;
                Dimensions { inputs, classes, train, test }
            }
            Self::Lq(spec) => {
                let &LqDataSpec { inputs, outputs, train, test, .. } = spec;
                Dimensions { inputs, classes: outputs, train, test }
            }
            Self::OnDisk(entry) => entry.dimensions(),
            Self::Own(own) => own.dimensions(),
        }
    }

    /// The shape of its images; none if samples are vectors.
    pub fn image(&self) -> Option<ImageShape> {
        match self {
            Self::Teacher(_) | Self::Lq(_) => None,
            Self::Digits => Some(digits::SHAPE),
            Self::OnDisk(entry) => Some(entry.shape),
            Self::Own(own) => own.image(),
        }
    }

    /// The hash that the loaded content must have.
    pub fn published_hash(&self) -> Option<&'static str> {
        self.is(&catalogue::CIFAR10).then_some(crate::load::CIFAR10_HASH)
    }

    /// Whether crop and flip make sense: for photographs, but neither for digits (a mirrored 2 is none) nor for vectors. Of a
    /// user's images the user knows.
    pub fn can_augment(&self) -> bool {
        match self {
            Self::OnDisk(_) => !self.is(&catalogue::MNIST),
            Self::Own(own) => own.is_pixels(),
            Self::Digits | Self::Teacher(_) | Self::Lq(_) => false,
        }
    }

    fn is(&self, entry: &CatalogueEntry) -> bool {
        self.name() == entry.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_sources_and_back() {
        for name in DataSpec::NAMES {
            assert_eq!(DataSpec::named(name).unwrap().name(), name);
        }
        let message = DataSpec::named("cifar").unwrap_err().to_string();
        assert!(message.contains("`cifar`") && message.contains("cifar10, cifar100"), "{message}");
    }

    #[test]
    fn dimensions_are_those_of_the_loaded_data() {
        let spec = TeacherSpec { train: 20, test: 10, ..TeacherSpec::default() };
        let gauss = LqDataSpec { inputs: 5, outputs: 3, train: 20, test: 10, seed: 0 };
        for source in [DataSpec::Digits, DataSpec::Teacher(spec), DataSpec::Lq(gauss)] {
            let data = crate::load(&source, &crate::Folder::at("")).unwrap();
            let Dimensions { inputs, classes, train, test } = source.dimensions();
            assert_eq!((inputs, classes), (data.inputs, data.classes));
            assert_eq!((train, test), (data.train.len(), data.test.len()));
        }
        assert_eq!(DataSpec::named("cifar100").unwrap().dimensions().inputs, 3072);
    }
}
