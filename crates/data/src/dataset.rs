//! A data set in memory: two splits and the hash of their content.
//!
//! Images stay bytes and are normalised while a batch is written; synthetic inputs are floats. All runs of a process
//! share one `Dataset`.

use sha2::{Digest, Sha256};

use crate::View;
use crate::digest::hex;
use crate::normalise::Scale;
use crate::view;

/// The shape of an image; a sample's features are its channel planes one after the other, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageShape {
    /// Colour planes.
    pub channels: usize,
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
}

impl ImageShape {
    /// Pixels in all planes.
    #[expect(clippy::len_without_is_empty, reason = "an image has at least one pixel")]
    pub fn len(&self) -> usize {
        self.channels * self.height * self.width
    }
}

/// A data set, loaded and checked.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// Its name, as in [`DataSpec::NAMES`](crate::DataSpec::NAMES), or that of a user's file.
    pub name: String,
    /// Number of classes.
    pub classes: usize,
    /// Features of a sample.
    pub inputs: usize,
    /// The samples to train on.
    pub train: Split,
    /// The samples to test on.
    pub test: Split,
    /// SHA-256 of the decoded content (shapes, labels and features of both splits), the same for every layout on disk.
    pub hash: String,
}

impl Dataset {
    /// Puts the splits together and hashes them.
    pub(crate) fn new(name: &str, classes: usize, train: Split, test: Split) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"creditscope data 1\n");
        let shape = train.shape.map_or([0; 3], |s| [s.channels, s.height, s.width]);
        for number in [classes, train.inputs].into_iter().chain(shape) {
            hash.update((number as u64).to_le_bytes());
        }
        for split in [&train, &test] {
            split.feed(&mut hash);
        }
        let hash = hex(&hash.finalize());
        Self { name: name.to_owned(), classes, inputs: train.inputs, train, test, hash }
    }
}

/// The samples of one part of a data set.
#[derive(Clone, Debug)]
pub struct Split {
    features: Features,
    labels: Vec<u8>,
    inputs: usize,
    /// None if samples are vectors.
    shape: Option<ImageShape>,
}

#[derive(Clone, Debug)]
enum Features {
    Pixels { pixels: Vec<u8>, shape: ImageShape, scale: Scale },
    Numbers(Vec<f32>),
}

impl Split {
    /// Images as bytes, one per label.
    pub(crate) fn images(pixels: Vec<u8>, shape: ImageShape, scale: Scale, labels: Vec<u8>) -> Self {
        debug_assert_eq!(pixels.len(), labels.len() * shape.len());
        Self {
            features: Features::Pixels { pixels, shape, scale },
            labels,
            inputs: shape.len(),
            shape: Some(shape),
        }
    }

    /// Plain vectors, used as they are.
    pub(crate) fn vectors(values: Vec<f32>, inputs: usize, labels: Vec<u8>) -> Self {
        Self::numbers(values, inputs, None, labels)
    }

    /// Numbers, used as they are, which may be images.
    pub(crate) fn numbers(
        values: Vec<f32>,
        inputs: usize,
        shape: Option<ImageShape>,
        labels: Vec<u8>,
    ) -> Self {
        debug_assert_eq!(values.len(), labels.len() * inputs);
        Self { features: Features::Numbers(values), labels, inputs, shape }
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Features of a sample.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The class of sample `i`.
    pub fn label(&self, i: usize) -> u8 {
        self.labels[i]
    }

    /// The classes of all samples.
    pub fn labels(&self) -> &[u8] {
        &self.labels
    }

    /// Writes sample `i`, normalised, into `row`.
    ///
    /// # Panics
    /// If the length of `row` is not [`Split::inputs`], or a crop is asked of samples that are not images.
    pub fn write(&self, i: usize, view: View, row: &mut [f32]) {
        assert_eq!(row.len(), self.inputs, "a row holds one sample");
        let range = i * self.inputs..(i + 1) * self.inputs;
        match &self.features {
            Features::Pixels { pixels, shape, scale } => {
                view::write(&pixels[range], *shape, scale, view, row)
            }
            Features::Numbers(values) => {
                assert_eq!(view, View::Plain, "only images of bytes can be cropped");
                row.copy_from_slice(&values[range]);
            }
        }
    }

    /// Writes the samples from `start` on, in order and without crop or flip, one per label.
    ///
    /// # Panics
    /// If the samples end before the labels, or `x` does not have one row of inputs per label.
    pub fn fill(&self, start: usize, x: &mut [f32], labels: &mut [u8]) {
        assert_eq!(x.len(), labels.len() * self.inputs, "x must hold one row of inputs for each label");
        labels.copy_from_slice(&self.labels[start..start + labels.len()]);
        for (i, row) in x.chunks_exact_mut(self.inputs).enumerate() {
            self.write(start + i, View::Plain, row);
        }
    }

    fn feed(&self, hash: &mut Sha256) {
        hash.update((self.labels.len() as u64).to_le_bytes());
        hash.update(&self.labels);
        match &self.features {
            Features::Pixels { pixels, .. } => hash.update(pixels),
            Features::Numbers(values) => values.iter().for_each(|v| hash.update(v.to_le_bytes())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(label: u8) -> Split {
        Split::vectors(vec![0.5, 1.0, -1.0, 2.0], 2, vec![0, label])
    }

    #[test]
    fn the_hash_follows_the_content_and_nothing_else() {
        let base = Dataset::new("a", 3, split(1), split(2)).hash;
        assert_eq!(base, Dataset::new("b", 3, split(1), split(2)).hash);
        assert_ne!(base, Dataset::new("a", 4, split(1), split(2)).hash);
        assert_ne!(base, Dataset::new("a", 3, split(2), split(1)).hash);
        assert_eq!(base.len(), 64);
    }

    #[test]
    fn fill_writes_samples_in_their_own_order() {
        let mut x = [0.0; 2];
        let mut labels = [9];
        split(1).fill(1, &mut x, &mut labels);
        assert_eq!((x, labels), ([-1.0, 2.0], [1]));
    }
}
