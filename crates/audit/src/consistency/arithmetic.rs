//! Exact f64, or f64 that behaves like some f32 computation.
//!
//! How far rounding moves a credit depends on the state of the network: a solved task, a LayerNorm of nearly constant
//! inputs, or logits of 1e8 amplify it by any factor, and no formula covers them all. So the same path is run with each
//! stored value moved by a random rounding error, as in Monte Carlo arithmetic (Parker, 1997), and the spread of the
//! results is the uncertainty of f32.

/// Sums up to this do not overflow in f32, not even in their partial sums.
const LARGEST: f64 = f32::MAX as f64 / 1024.0;
/// Below this, f32 keeps no digits and its exponential is 0.
const SMALLEST: f64 = 4.0 * f32::MIN_POSITIVE as f64;

/// How values are stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arithmetic {
    /// State of the generator; none if values are kept exactly.
    draw: Option<u64>,
}

impl Arithmetic {
    /// Keeps every value exactly.
    pub(super) fn exact() -> Self {
        Self { draw: None }
    }

    /// Rounds at random, with `draw` as the seed.
    pub(super) fn rounded(draw: u64) -> Self {
        Self { draw: Some(draw) }
    }

    /// Stores a value that results from `terms` roundings. Twice the largest error of one rounding allows for the order of
    /// a sum and the polynomials for exp and erf; errors of many terms grow like their square root.
    pub(super) fn store(&mut self, x: f64, terms: usize) -> f64 {
        match self.uniform() {
            None => x,
            Some(u) => {
                let error = f64::from(f32::EPSILON) * (terms as f64).sqrt();
                // Values outside the range of f32 become infinite or lose their digits, as in training; close to its
                // end every other one does, since partial sums can be larger than the sum.
                let within = if u < 0.0 { f64::from(f32::MAX) } else { LARGEST };
                let x = if x.abs() < within { x } else { x * f64::INFINITY };
                f64::from((x * (1.0 + error * u) + SMALLEST * u) as f32)
            }
        }
    }

    /// Moves a value by up to `error`: for functions whose f32 version has an absolute error.
    pub(super) fn shift(&mut self, x: f64, error: f64) -> f64 {
        self.uniform().map_or(x, |u| x + error * u)
    }

    /// Stores all values of a slice.
    pub(super) fn store_all(&mut self, values: &mut [f64], terms: usize) {
        if self.draw.is_some() {
            values.iter_mut().for_each(|x| *x = self.store(*x, terms));
        }
    }

    /// Uniform in [−1, 1) by SplitMix64: a few lines, so that this path depends on no other crate's random numbers.
    fn uniform(&mut self) -> Option<f64> {
        let state = self.draw.as_mut()?;
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Some(((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_keeps_and_rounded_moves_within_its_bound() {
        assert_eq!(Arithmetic::exact().store(0.1, 9), 0.1);
        let mut rounded = Arithmetic::rounded(3);
        let moved: Vec<f64> = (0..1000).map(|_| rounded.store(1.0, 9) - 1.0).collect();
        assert!(moved.iter().all(|m| m.abs() <= 3.0 * 1.3e-7), "three times one rounding at most");
        assert!(moved.iter().any(|m| *m > 2e-7) && moved.iter().any(|m| *m < -2e-7), "to both sides");
        assert_eq!(rounded.store(1e39, 1), f64::INFINITY);
        let lost = (0..1000).filter(|_| rounded.store(1e38, 1).is_infinite()).count();
        assert!(lost > 400 && lost < 600, "near the end of the range, {lost} of 1000");
        assert!(rounded.store(1e-46, 1).abs() < 1e-37);
    }
}
