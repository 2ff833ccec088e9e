//! Mean cosine between credit and gradient over samples, never clamped.
//!
//! Library cosines put a floor of 1e-8 under each norm, which silently turns the cosine of a vanishing gradient
//! into something near 0. Here a direction either exists, and then its length does not matter, or it does not, and
//! then there is no number.

use record::{Measured, Why};
use tensor::Float;

/// Adds up per-sample cosines of one layer, chunk by chunk.
///
/// ```
/// use record::{Measured, Why};
/// let mut mean = audit::CosineMean::default();
/// mean.add(&[3.0f32, 4.0], &[6e-20, 8e-20], 2);
/// assert_eq!(mean.finish(1e-3, 1e-7), Measured::Defined { value: 1.0 });
/// // The same direction, beside a gradient too small to mean anything.
/// assert_eq!(mean.finish(1e-9, 1e-7), Measured::Unreliable { value: 1.0, why: Why::ReferenceBelowFloor });
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CosineMean {
    sum: f64,
    defined: u64,
    trouble: Option<Why>,
}

impl CosineMean {
    /// Adds the samples of a chunk: rows of `width` features.
    pub fn add<T: Float>(&mut self, credit: &[T], reference: &[T], width: usize) {
        for (a, p) in credit.chunks_exact(width).zip(reference.chunks_exact(width)) {
            match sample(a, p) {
                Ok(value) => {
                    self.sum += value;
                    self.defined += 1;
                }
                // The gravest trouble of any sample is the one reported.
                Err(why) => self.trouble = self.trouble.max(Some(why)),
            }
        }
    }

    /// The mean with its standing, given the layer's typical ‖g‖ and the floor below which it means nothing.
    pub fn finish(&self, reference_norm: f64, floor: f64) -> Measured {
        let value = self.sum / self.defined as f64;
        match self.trouble {
            Some(why @ Why::NotFinite) => Measured::Undefined { why },
            Some(why) if self.defined == 0 => Measured::Undefined { why },
            None if self.defined == 0 => Measured::Undefined { why: Why::ReferenceVanished },
            _ if reference_norm < floor => Measured::Unreliable { value, why: Why::ReferenceBelowFloor },
            Some(_) => Measured::Unreliable { value, why: Why::SamplesLeftOut },
            None => Measured::Defined { value },
        }
    }
}

/// Measured of one sample, or why there is none.
fn sample<T: Float>(a: &[T], p: &[T]) -> Result<f64, Why> {
    let (mut dot, mut aa, mut pp) = (0.0, 0.0, 0.0);
    for (a, p) in a.iter().zip(p) {
        let (a, p) = (a.to_f64(), p.to_f64());
        dot += a * p;
        aa += a * a;
        pp += p * p;
    }
    let (a, p) = (f64::sqrt(aa), f64::sqrt(pp));
    if !(a.is_finite() && p.is_finite()) {
        return Err(Why::NotFinite);
    }
    if p < T::MIN_POSITIVE {
        return Err(Why::ReferenceVanished);
    }
    if a < T::MIN_POSITIVE {
        return Err(Why::CreditVanished);
    }
    Ok(dot / a / p)
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
    fn one_sample_without_direction_is_said() {
        let mut mean = CosineMean::default();
        mean.add(&[1.0f32, 0.0, 0.0, 0.0], &[1.0, 0.0, 1.0, 0.0], 2);
        assert_eq!(mean.finish(1.0, 1e-7), Measured::Unreliable { value: 1.0, why: Why::SamplesLeftOut });
    }
}
