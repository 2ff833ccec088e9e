//! Random numbers as named streams.
//!
//! Every use of randomness has a purpose, and every purpose draws from its own ChaCha stream of the run's seed, so that a
//! change in one (say, more augmentation) never moves another (say, the feedback matrices). A stream may also be named by
//! epoch and position, which makes every batch a pure function of both.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// What a stream of random numbers is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Initial weights.
    Init = 1,
    /// The order of the training samples.
    Order = 2,
    /// Crops and flips.
    Augment = 3,
    /// Fixed feedback matrices.
    Feedback = 4,
    /// Labels drawn at random in place of the true ones.
    Labels = 5,
    /// Synthetic data: inputs and the teacher's weights.
    Teacher = 6,
    /// Directions, fresh feedback and permutations of an audit.
    Audit = 7,
    /// Noise that a rule adds during training.
    Noise = 8,
    /// Which training samples are held out for validation.
    Holdout = 9,
}

/// A deterministic stream of random numbers.
///
/// ```
/// use tensor::random::{Purpose, Stream};
/// let a: Vec<u64> = (0..3).map(|_| Stream::new(42, Purpose::Init).below(1000)).collect();
/// assert!(a.iter().all(|&x| x == a[0]), "the same name gives the same numbers");
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    rng: ChaCha8Rng,
    spare: Option<f64>,
}

impl Stream {
    /// The stream of `seed` for `purpose`.
    pub fn new(seed: u64, purpose: Purpose) -> Self {
        Self::at(seed, purpose, 0, 0)
    }

    /// The stream of `seed` for `purpose` at a position, such as (epoch, batch).
    pub fn at(seed: u64, purpose: Purpose, major: u64, minor: u64) -> Self {
        let mut key = [0u8; 32];
        for (slot, word) in key.chunks_exact_mut(8).zip([seed, purpose as u64, major, minor]) {
            slot.copy_from_slice(&word.to_le_bytes());
        }
        Self { rng: ChaCha8Rng::from_seed(key), spare: None }
    }

    /// Uniform in [0, 1), with 53 random bits.
    pub fn uniform(&mut self) -> f64 {
        (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number below `n`, without bias.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "no natural number is below 0");
        // Lemire's method: the high word of a product is uniform once the rare short interval is rejected.
        let threshold = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.rng.next_u64()) * u128::from(n);
            if product as u64 >= threshold {
                return (product >> 64) as u64;
            }
        }
    }

    /// Standard normal, by the polar method; logarithm from `libm`, so that every platform draws the same bits.
    pub fn normal(&mut self) -> f64 {
        if let Some(value) = self.spare.take() {
            return value;
        }
        loop {
            let u = 2.0 * self.uniform() - 1.0;
            let v = 2.0 * self.uniform() - 1.0;
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                let factor = (-2.0 * libm::log(s) / s).sqrt();
                self.spare = Some(v * factor);
                return u * factor;
            }
        }
    }

    /// Shuffles in place (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_has_mean_zero_variance_one_and_the_right_tail() {
        let mut stream = Stream::new(7, Purpose::Init);
        let n = 200_000;
        let draws: Vec<f64> = (0..n).map(|_| stream.normal()).collect();
        let mean = draws.iter().sum::<f64>() / n as f64;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64;
        let beyond = draws.iter().filter(|x| x.abs() > 1.959_964).count() as f64 / n as f64;
        // Five standard errors of each estimate.
        assert!(mean.abs() < 5.0 / (n as f64).sqrt(), "mean {mean}");
        assert!((variance - 1.0).abs() < 5.0 * (2.0 / n as f64).sqrt(), "variance {variance}");
        assert!((beyond - 0.05).abs() < 5.0 * (0.05 * 0.95 / n as f64).sqrt(), "tail {beyond}");
    }

    #[test]
    fn below_is_uniform_and_shuffle_is_a_permutation() {
        let mut stream = Stream::at(1, Purpose::Order, 2, 3);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[stream.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|&c| (9_500..10_500).contains(&c)), "{counts:?}");
        let mut items: Vec<u32> = (0..100).collect();
        stream.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn purposes_and_places_do_not_share_numbers() {
        let first = |s: &mut Stream| s.uniform();
        let base = first(&mut Stream::at(42, Purpose::Order, 0, 0));
        for mut other in [
            Stream::at(43, Purpose::Order, 0, 0),
            Stream::at(42, Purpose::Augment, 0, 0),
            Stream::at(42, Purpose::Order, 1, 0),
            Stream::at(42, Purpose::Order, 0, 1),
        ] {
            assert_ne!(base, first(&mut other));
        }
    }
}
