//! Normalisation of pixels, as a table of all their values. The published means and deviations are `moments` in
//! `catalogue/published.rs`; those of the digits are measured here.
//!
//! The table holds ((v / white) − mean) / std, each step rounded to f32 in this order, like torchvision's `ToTensor` and
//! `Normalize`; so inputs agree with PyTorch to the bit.

/// One table of 256 values per channel.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    tables: Vec<[f32; 256]>,
}

impl Scale {
    /// The tables for pixels from 0 to `white`, given (mean, standard deviation) per channel.
    pub(crate) fn new(white: f32, moments: &[(f32, f32)]) -> Self {
        let table = |&(mean, std): &(f32, f32)| std::array::from_fn(|v| (v as f32 / white - mean) / std);
        Self { tables: moments.iter().map(table).collect() }
    }

    /// The normalised values of a channel.
    pub(crate) fn channel(&self, channel: usize) -> &[f32; 256] {
        &self.tables[channel]
    }
}

/// Mean and standard deviation of pixels from 0 to `white`, scaled to 0 to 1.
pub(crate) fn moments(pixels: impl Iterator<Item = u8> + Clone, white: f32) -> (f32, f32) {
    let values = pixels.map(|p| f64::from(p) / f64::from(white));
    let n = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / n;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    (mean as f32, variance.sqrt() as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_table_are_those_of_the_formula() {
        let scale = Scale::new(255.0, &[(0.5, 0.25), (0.0, 1.0)]);
        assert_eq!(scale.channel(0)[0], -2.0);
        assert_eq!(scale.channel(0)[255], 2.0);
        assert_eq!(scale.channel(1)[51], 0.2);
    }

    #[test]
    fn moments_normalise_their_own_pixels() {
        let (mean, std) = moments([0, 16, 0, 16].into_iter(), 16.0);
        assert_eq!((mean, std), (0.5, 0.5));
    }

    /// The expected sums come from PyTorch: `torch.arange(256, dtype=uint8).float().div(255).sub(mean).div(std)`, its
    /// bits x_0 … x_255 folded as s ← 31 s + x (mod 2^32).
    #[test]
    fn every_entry_has_the_bits_that_pytorch_computes() {
        use crate::catalogue::{CIFAR10, CIFAR100, FASHION_MNIST, MNIST};
        for (entry, sums) in [
            (CIFAR10, &[0x3649_f842u32, 0x8e14_253e, 0xf24c_2f0c][..]),
            (CIFAR100, &[0xd329_9f84, 0x589b_36a2, 0x646b_39af]),
            (MNIST, &[0x9b41_e22f]),
            (FASHION_MNIST, &[0x82ff_9f07]),
        ] {
            let scale = Scale::new(255.0, entry.moments);
            let fold = |sum: u32, value: &f32| sum.wrapping_mul(31).wrapping_add(value.to_bits());
            let found: Vec<u32> = (0..sums.len()).map(|c| scale.channel(c).iter().fold(0, fold)).collect();
            assert_eq!(found, sums, "{}", entry.title);
        }
    }
}
