//! Which data set a recipe asks for.

use crate::{Error, ImageShape, LqDataSpec, TeacherSpec, catalogue, digits};

/// A data set by name, with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum DataSpec {
    /// The built-in 8×8 digits.
    Digits,
    /// Gaussian inputs labelled by a random network.
    Teacher(TeacherSpec),
    /// Gaussian numbers for a linear-quadratic system.
    Lq(LqDataSpec),
    /// 32×32 colour photographs, 10 classes.
    Cifar10,
    /// 32×32 colour photographs, 100 classes.
    Cifar100,
    /// 28×28 handwritten digits.
    Mnist,
    /// 28×28 pictures of clothes.
    FashionMnist,
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
        let teacher = Self::Teacher(TeacherSpec::default());
        let lq = Self::Lq(LqDataSpec::default());
        [Self::Digits, teacher, lq, Self::Cifar10, Self::Cifar100, Self::Mnist, Self::FashionMnist]
            .into_iter()
            .find(|spec| spec.name() == name)
            .ok_or_else(|| Error::UnknownName { name: name.to_owned() })
    }

    /// The name in recipes and on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Digits => "digits",
            Self::Teacher(_) => "teacher",
            Self::Lq(_) => "lq",
            Self::Cifar10 => "cifar10",
            Self::Cifar100 => "cifar100",
            Self::Mnist => "mnist",
            Self::FashionMnist => "fashion-mnist",
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
            Self::Cifar10 => catalogue::CIFAR10.dimensions(),
            Self::Cifar100 => catalogue::CIFAR100.dimensions(),
            Self::Mnist => catalogue::MNIST.dimensions(),
            Self::FashionMnist => catalogue::FASHION_MNIST.dimensions(),
        }
    }

    /// The shape of its images; none if samples are vectors.
    pub fn image(&self) -> Option<ImageShape> {
        match self {
            Self::Teacher(_) | Self::Lq(_) => None,
            Self::Digits => Some(digits::SHAPE),
            Self::Cifar10 => Some(catalogue::CIFAR10.shape),
            Self::Cifar100 => Some(catalogue::CIFAR100.shape),
            Self::Mnist => Some(catalogue::MNIST.shape),
            Self::FashionMnist => Some(catalogue::FASHION_MNIST.shape),
        }
    }

    /// The hash that the loaded content must have.
    pub fn published_hash(&self) -> Option<&'static str> {
        matches!(self, Self::Cifar10).then_some(crate::load::CIFAR10_HASH)
    }

    /// Whether crop and flip make sense: for photographs, but neither for digits (a mirrored 2 is none) nor for vectors.
    pub fn can_augment(&self) -> bool {
        matches!(self, Self::Cifar10 | Self::Cifar100 | Self::FashionMnist)
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
        assert_eq!(DataSpec::Cifar100.dimensions().inputs, 3072);
    }
}
