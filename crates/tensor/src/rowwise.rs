//! Softmax and scaled sums over the rows of a batch.

use crate::Float;
use crate::simd::{highest, sum, vectorised};

vectorised! {
    /// `a = a + factor · b`.
    pub fn add_scaled<T: Float>(a: &mut [T], factor: T, b: &[T]) {
        assert_eq!(a.len(), b.len());
        for (a, &b) in a.iter_mut().zip(b) {
            *a = factor.mul_add(b, *a);
        }
    }
}

vectorised! {
    /// Turns each row of `cols` scores into its softmax.
    pub fn softmax<T: Float>(scores: &mut [T], cols: usize) {
        for row in scores.chunks_exact_mut(cols) {
            let top = highest(row);
            for x in row.iter_mut() {
                *x = (*x - top).exp();
            }
            let inverse = T::ONE / sum([&*row], |[x]| x);
            for x in row.iter_mut() {
                *x *= inverse;
            }
        }
    }
}

vectorised! {
    /// The signal at the scores of a softmax from the signal at its output, in place: s becomes p ∘ (s − ⟨p, s⟩).
    pub fn softmax_input_grad<T: Float>(shares: &[T], signal: &mut [T], cols: usize) {
        for (p, s) in shares.chunks_exact(cols).zip(signal.chunks_exact_mut(cols)) {
            let p = &p[..cols];
            let s = &mut s[..cols];
            let mean = sum([p, &*s], |[p, s]| p * s);
            for i in 0..cols {
                s[i] = p[i] * (s[i] - mean);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Stream};
    use proptest::prelude::*;

    /// Logits ln 1, ln 2, ln 5, and a row whose exponentials overflow.
    #[test]
    fn softmax_by_hand() {
        let mut rows = [0.0f64, 2f64.ln(), 5f64.ln(), 3000.0, 3000.0, -3000.0];
        softmax(&mut rows, 3);
        for (got, want) in rows.iter().zip([0.125, 0.25, 0.625, 0.5, 0.5, 0.0]) {
            assert!((got - want).abs() < 1e-15, "{rows:?}");
        }
    }

    /// One broken score breaks its row and no other.
    #[test]
    fn a_softmax_of_broken_scores_is_not_finite() {
        for bad in [f32::NAN, f32::INFINITY] {
            for index in 0..20 {
                let mut rows = [0.5f32; 40];
                rows[index] = bad;
                softmax(&mut rows, 20);
                assert!(rows[..20].iter().any(|x| !x.is_finite()), "{bad} at {index}");
                assert!(rows[20..].iter().all(|x| (x - 0.05).abs() < 1e-7), "{bad} at {index}");
            }
        }
    }

    proptest! {
        /// Shares sum to 1, and their slopes are those of central differences, in rows of any length.
        #[test]
        fn the_signal_at_the_scores_is_the_slope(cols in 1usize..40, rows in 1usize..4, seed: u64) {
            let mut stream = Stream::new(seed, Purpose::Init);
            let mut draw = || (0..rows * cols).map(|_| stream.normal()).collect::<Vec<f64>>();
            let [scores, signal, direction] = [(); 3].map(|()| draw());
            let moved_shares = |by: f64| {
                let mut moved: Vec<f64> = scores.iter().zip(&direction).map(|(z, v)| z + by * v).collect();
                softmax(&mut moved, cols);
                moved
            };
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let shares = moved_shares(0.0);
            for row in shares.chunks_exact(cols) {
                prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            }
            let mut back = signal.clone();
            softmax_input_grad(&shares, &mut back, cols);
            let difference = (dot(&moved_shares(1e-5), &signal) - dot(&moved_shares(-1e-5), &signal)) / 2e-5;
            prop_assert!((dot(&back, &direction) - difference).abs() < 1e-8);
        }
    }
}
