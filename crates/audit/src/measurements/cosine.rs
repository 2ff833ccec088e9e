//! Mean cosine between credit and gradient over samples, never clamped.
//!
//! Library cosines raise each norm to at least 1e-8, which silently turns the cosine of a vanishing gradient into
//! something near 0. Here a direction either exists, and its length does not matter, or it does not, and there is no
//! number.

use record::{Measured, Why};
use tensor::Float;

/// Norms below this are raised to it in PyTorch's `cosine_similarity`.
const TORCH_FLOOR: f64 = 1e-8;

/// Averages per-sample cosines of one layer, chunk by chunk.
///
/// ```
/// use audit::CosineMean;
/// use record::{Measured, Why};
/// let mut mean = CosineMean::default();
/// mean.add(&[3.0f32, 4.0], &[6e-20, 8e-20], 2);
/// assert_eq!(mean.finish(1e-3, 1e-7), Measured::Defined { value: 1.0 });
/// // The same direction, but the gradient is too small to mean anything.
/// assert_eq!(mean.finish(1e-9, 1e-7), Measured::Unreliable { value: 1.0, why: Why::ReferenceBelowFloor });
/// // What a library that clamps norms would give.
/// assert!(mean.torch().unwrap() < 1e-10);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CosineMean {
    defined: u64,
    mean: f64,
    /// Sum of squared distances from the mean (Welford), so that a spread near 0 keeps its digits.
    squares: f64,
    clamped: f64,
    samples: u64,
    trouble: Option<Why>,
    /// Samples without a reference.
    silent: u64,
}

impl CosineMean {
    /// Adds the samples of a chunk: rows of `width` features.
    pub fn add<A: Float, P: Float>(&mut self, credit: &[A], reference: &[P], width: usize) {
        for (a, p) in credit.chunks_exact(width).zip(reference.chunks_exact(width)) {
            let Sums { dot, aa, pp } = sums(a, p);
            self.samples += 1;
            self.clamped += dot / (aa.max(TORCH_FLOOR) * pp.max(TORCH_FLOOR));
            match standing(aa, pp) {
                None => {
                    // Rounding may push a cosine past 1.
                    let value = (dot / aa / pp).clamp(-1.0, 1.0);
                    self.defined += 1;
                    let before = value - self.mean;
                    self.mean += before / self.defined as f64;
                    self.squares += before * (value - self.mean);
                }
                // A sample without error has no gradient to follow: that is not a fault.
                Some(Why::ReferenceVanished) => self.silent += 1,
                // Of all other samples, the gravest trouble is reported.
                Some(why) => self.trouble = self.trouble.max(Some(why)),
            }
        }
    }

    /// The mean with its reliability, given the layer's typical ‖g‖ and the floor below which it means nothing.
    pub fn finish(&self, reference_norm: f64, floor: f64) -> Measured {
        let value = self.mean;
        match self.trouble {
            Some(why @ Why::NotFinite) => Measured::Undefined { why },
            Some(why) if self.defined == 0 => Measured::Undefined { why },
            None if self.defined == 0 => Measured::Undefined { why: Why::ReferenceVanished },
            _ if reference_norm < floor => Measured::Unreliable { value, why: Why::ReferenceBelowFloor },
            Some(_) => Measured::Unreliable { value, why: Why::SamplesLeftOut },
            None => Measured::Defined { value },
        }
    }

    /// The plain mean over the samples that have a cosine; none if no sample has.
    pub fn mean(&self) -> Option<f64> {
        (self.defined > 0 && self.trouble != Some(Why::NotFinite)).then_some(self.mean)
    }

    /// How far two versions of the same signal agree: the mean in which a sample that only one side has counts as 0, and
    /// which is 0 if any value is not finite. None if no sample has a reference.
    ///
    /// ```
    /// // The gradient of two samples in f32 and in f64; the second vanished in f32.
    /// let mut both = audit::CosineMean::default();
    /// both.add(&[0.3f32, 0.4, 0.0, 0.0], &[0.3f64, 0.4, 1e-30, 0.0], 2);
    /// assert!((both.agreement().unwrap() - 0.5).abs() < 1e-7);
    /// ```
    pub fn agreement(&self) -> Option<f64> {
        let samples = self.samples - self.silent;
        let broken = self.trouble == Some(Why::NotFinite);
        (samples > 0).then(|| if broken { 0.0 } else { self.mean * self.defined as f64 / samples as f64 })
    }

    /// Standard deviation over samples (n−1); none with fewer than two.
    pub fn spread(&self) -> Option<f64> {
        (self.defined > 1).then(|| (self.squares / (self.defined - 1) as f64).sqrt())
    }

    /// The mean that PyTorch would give, which clamps each norm at 1e-8: x·y / (max(‖x‖, 1e-8)·max(‖y‖, 1e-8)).
    pub fn torch(&self) -> Option<f64> {
        (self.samples > 0).then(|| self.clamped / self.samples as f64)
    }
}

/// Inner product and the two norms.
struct Sums {
    dot: f64,
    aa: f64,
    pp: f64,
}

fn sums<A: Float, P: Float>(a: &[A], p: &[P]) -> Sums {
    let mut dot = 0.0;
    let mut aa = 0.0;
    let mut pp = 0.0;
    for (a, p) in a.iter().zip(p) {
        let a = a.to_f64();
        let p = p.to_f64();
        dot += a * p;
        aa += a * a;
        pp += p * p;
    }
    Sums { dot, aa: f64::sqrt(aa), pp: f64::sqrt(pp) }
}

/// Why two vectors with these norms have no cosine, if they have none. Training is in f32: below its normal range digits are
/// lost, even if a signal was converted to f64 since.
fn standing(a: f64, p: f64) -> Option<Why> {
    const LEAST: f64 = f32::MIN_POSITIVE as f64;
    if !(a.is_finite() && p.is_finite()) {
        Some(Why::NotFinite)
    } else if p < LEAST {
        Some(Why::ReferenceVanished)
    } else if a < LEAST {
        Some(Why::CreditVanished)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two samples with a planted cosine, the credit and the reference scaled at will.
    fn planted(cosine: f64, credit: f64, reference: f64) -> Measured {
        let sine = (1.0 - cosine * cosine).sqrt();
        let a: Vec<f32> = [cosine, sine, 0.0, cosine, 0.0, sine].map(|x| (x * credit) as f32).to_vec();
        let p: Vec<f32> = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0].map(|x| (x * reference) as f32).to_vec();
        let mut mean = CosineMean::default();
        mean.add(&a, &p, 3);
        mean.finish(reference, 0.0)
    }

    #[test]
    fn a_planted_cosine_comes_back_at_any_size() {
        for cosine in [-1.0, -0.3, 0.0, 0.3, 0.99, 1.0] {
            for size in [1e-30, 4e-9, 1.0, 1e30] {
                for other in [1e-30, 1.0, 1e30] {
                    let Measured::Defined { value } = planted(cosine, size, other) else {
                        panic!("undefined")
                    };
                    assert!((value - cosine).abs() < 1e-6, "{cosine} at {size}, {other}: {value}");
                }
            }
        }
    }

    #[test]
    fn a_dead_layer_has_no_cosine_and_says_which_side_died() {
        assert_eq!(planted(0.3, 0.0, 1.0), Measured::Undefined { why: Why::CreditVanished });
        assert_eq!(planted(0.3, 1.0, 0.0), Measured::Undefined { why: Why::ReferenceVanished });
        assert_eq!(planted(0.3, 1e-40, 1.0), Measured::Undefined { why: Why::CreditVanished });
        assert_eq!(planted(0.3, f64::INFINITY, 1.0), Measured::Undefined { why: Why::NotFinite });
        assert_eq!(planted(0.3, f64::NAN, 1.0), Measured::Undefined { why: Why::NotFinite });
    }

    #[test]
    fn a_reference_below_the_floor_keeps_its_value_but_not_its_standing() {
        let mut mean = CosineMean::default();
        mean.add(&[1.0f32, 0.0], &[1e-9, 0.0], 2);
        assert_eq!(
            mean.finish(1e-9, 1e-7),
            Measured::Unreliable { value: 1.0, why: Why::ReferenceBelowFloor }
        );
    }

    #[test]
    fn one_sample_without_credit_is_said_and_one_without_error_is_not() {
        let mut mean = CosineMean::default();
        mean.add(&[1.0f32, 0.0, 0.0, 0.0], &[1.0, 0.0, 1.0, 0.0], 2);
        assert_eq!(mean.finish(1.0, 1e-7), Measured::Unreliable { value: 1.0, why: Why::SamplesLeftOut });
        assert_eq!(mean.agreement(), Some(0.5), "a sample that one side lacks does not agree");
        let mut mean = CosineMean::default();
        mean.add(&[1.0f32, 0.0, 1.0, 0.0], &[1.0, 0.0, 0.0, 0.0], 2);
        assert_eq!(mean.finish(1.0, 1e-7), Measured::Defined { value: 1.0 });
        assert_eq!(mean.agreement(), Some(1.0), "a sample without error is not looked at");
    }
}
