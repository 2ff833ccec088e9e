//! The 1,797 built-in handwritten digits, 8×8 pixels with values 0 to 16.
//!
//! The last 360 samples (one in five) are the test split. The file lists its 13 writers one after another, so the test
//! split has mostly other writers; a shuffled split would put each writer into both and flatter every rule. Pixels are
//! divided by 16, then normalised by the mean and standard deviation of the training split.

use std::io::Read;

use flate2::read::GzDecoder;

use crate::dataset::{Dataset, ImageShape, Split};
use crate::normalise::{Scale, moments};

const PACKED: &[u8] = include_bytes!("../assets/digits.bin.gz");
const SAMPLES: usize = 1797;
pub(crate) const TEST: usize = 360;
pub(crate) const TRAIN: usize = SAMPLES - TEST;
pub(crate) const SHAPE: ImageShape = ImageShape { channels: 1, height: 8, width: 8 };
pub(crate) const CLASSES: usize = 10;
const WHITE: f32 = 16.0;

pub(crate) fn load() -> Dataset {
    let mut content = unpack();
    let mut pixels = content.split_off(SAMPLES);
    let test_pixels = pixels.split_off(TRAIN * SHAPE.len());
    let test_labels = content.split_off(TRAIN);
    let scale = Scale::new(WHITE, &[moments(pixels.iter().copied(), WHITE)]);
    let train = Split::images(pixels, SHAPE, scale.clone(), content);
    let test = Split::images(test_pixels, SHAPE, scale, test_labels);
    Dataset::new("digits", CLASSES, train, test)
}

/// Labels, then pixels, as described in `assets/README.md`.
fn unpack() -> Vec<u8> {
    let mut content = Vec::with_capacity(SAMPLES * (1 + SHAPE.len()));
    // The bytes are part of the program and their hash is tested.
    GzDecoder::new(PACKED).read_to_end(&mut content).expect("the embedded digits unpack");
    content
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::View;

    #[test]
    fn the_embedded_file_is_the_published_one() {
        assert!(PACKED.len() < 80_000);
        let content = unpack();
        assert_eq!(content.len(), SAMPLES * 65);
        assert_eq!(
            crate::digest::hex(&Sha256::digest(&content)),
            "e1d88a0854e29e01d16358d2cd026aa8fc20dfc4cdb3fce004300857ea82aa70"
        );
        let mut counts = [0; 10];
        content[..SAMPLES].iter().for_each(|&label| counts[usize::from(label)] += 1);
        assert_eq!(counts, [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]);
        assert_eq!(content[SAMPLES..].iter().max(), Some(&16));
    }

    #[test]
    fn the_training_split_is_normalised_and_both_have_every_class() {
        let digits = load();
        assert_eq!((digits.train.len(), digits.test.len(), digits.inputs), (1437, 360, 64));
        for split in [&digits.train, &digits.test] {
            assert!((0..10).all(|class| split.labels().iter().filter(|&&l| l == class).count() > 30));
        }
        let mut row = [0.0f32; 64];
        let mut sum = 0.0;
        let mut squares = 0.0;
        for i in 0..digits.train.len() {
            digits.train.write(i, View::Plain, &mut row);
            sum += row.iter().map(|&v| f64::from(v)).sum::<f64>();
            squares += row.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>();
        }
        let n = (digits.train.len() * 64) as f64;
        assert!((sum / n).abs() < 1e-5 && (squares / n - 1.0).abs() < 1e-5, "{sum} {squares}");
    }

    #[test]
    fn the_first_sample_is_the_zero_of_the_uci_file() {
        // First line of optdigits.tes: 0,0,5,13,9,1,0,0, 0,0,13,15,10,15,5,0, …, label 0.
        let content = unpack();
        assert_eq!(content[0], 0);
        assert_eq!(content[SAMPLES..SAMPLES + 16], [0, 0, 5, 13, 9, 1, 0, 0, 0, 0, 13, 15, 10, 15, 5, 0]);
    }
}
