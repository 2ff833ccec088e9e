//! Differences of what works on rows of values: the softmax of attention, and the ReLU.

use super::Sides;
use crate::Float;
use crate::simd::{highest, sum, vectorised};

/// Where the shifts are below their largest by more than this, weighted by the shares, the sum of the moved shares would lose
/// its digits; and they differ so much that nothing cancels if they are computed whole. The sum is at least e^−2 below it.
const FAR: f64 = 2.0;

/// The same by whole shares.
fn whole<T: Float>(p: &[T], d: &mut [T]) {
    let scores = || p.iter().zip(&*d).map(|(&p, &d)| p.ln() + d);
    let top = scores().fold(T::of(f64::NEG_INFINITY), T::max);
    let moved: Vec<T> = scores().map(|score| (score - top).exp()).collect();
    let total = moved.iter().fold(T::ZERO, |sum, &x| sum + x);
    d.iter_mut().zip(moved).zip(p).for_each(|((d, moved), &p)| *d = moved / total - p);
}

vectorised! {
    /// Turns shifts of scores, in place, into shifts of their softmax. With p the unmoved shares and x = e^(d − max d) − 1, the
    /// moved ones are p·(1 + x)/(1 + Σ px), so the difference is p·(x − Σ px)/(1 + Σ px).
    pub fn softmax_shift<T: Float>(shares: &[T], shifts: &mut [T], cols: usize) {
        for (p, d) in shares.chunks_exact(cols).zip(shifts.chunks_exact_mut(cols)) {
            let p = &p[..cols];
            let d = &mut d[..cols];
            let top = highest(d);
            let far = sum([p, &*d], |[p, x]| p * (top - x)) > T::of(FAR);
            if far {
                whole(p, d);
                continue;
            }
            for x in d.iter_mut() {
                // e^x − 1 = 2t/(1 − t) with t = tanh(x/2), where nothing cancels for x below 0.
                let t = (T::of(0.5) * (*x - top)).tanh();
                *x = (t + t) / (T::ONE - t);
            }
            let mean = sum([p, &*d], |[p, x]| p * x);
            let inverse = T::ONE / (T::ONE + mean);
            for i in 0..cols {
                d[i] = p[i] * (d[i] - mean) * inverse;
            }
        }
    }
}

/// The difference of a ReLU at this input, written so that NaN stays.
#[inline(always)]
fn relu<T: Float>(at: T, d: T) -> T {
    let moved = at + d;
    let on = if moved < T::ZERO { T::ZERO - at } else { d };
    let off = if moved < T::ZERO { T::ZERO } else { moved };
    if at > T::ZERO { on } else { off }
}

vectorised! {
    /// Turns shifts of the inputs of a ReLU, in place, into those of its outputs; `at` holds the unmoved inputs of each owner.
    pub fn relu_shift<T: Float>(at: &[T], owners: &[usize], sides: Sides, shifts: &mut [T]) {
        let width = shifts.len() / owners.len();
        for (d, &owner) in shifts.chunks_exact_mut(width).zip(owners) {
            let at = &at[owner * width..][..width];
            for i in 0..width {
                let up = relu(at[i], d[i]);
                let down = relu(at[i], T::ZERO - d[i]);
                d[i] = if sides == Sides::Both { T::of(0.5) * (up - down) } else { up };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::softmax;

    #[test]
    fn a_softmax_moves_by_the_difference_of_two() {
        let scores = [0.3f64, -1.0, 2.0, 0.0, 0.1, -0.2];
        for size in [1e-3, 1.0, 200.0] {
            let shifts = [0.5, -0.4, 0.2, 1.0, 0.9, -0.1].map(|x| size * x);
            let mut shares = scores;
            softmax(&mut shares, 3);
            let mut moved: Vec<f64> = scores.iter().zip(shifts).map(|(z, d)| z + d).collect();
            softmax(&mut moved, 3);
            let mut found = shifts.map(|x| x as f32);
            softmax_shift(&shares.map(|p| p as f32), &mut found, 3);
            for i in 0..6 {
                let expected = moved[i] - shares[i];
                assert!((f64::from(found[i]) - expected).abs() < 1e-6 * size.min(1.0), "{size}: {found:?}");
            }
        }
    }

    /// All of the attention goes from one score to another that had next to none.
    #[test]
    fn a_softmax_that_turns_over_stays_finite() {
        let mut shares = [0.0f64, -25.0, -60.0];
        softmax(&mut shares, 3);
        let mut shifts = [-20.0f32, 30.0, 35.0];
        softmax_shift(&shares.map(|p| p as f32), &mut shifts, 3);
        for (found, expected) in shifts.iter().zip([-1.0, 1.0, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{shifts:?}");
        }
        let mut broken = [f32::NAN, 0.0, 0.0];
        softmax_shift(&[0.2, 0.3, 0.5], &mut broken, 3);
        assert!(broken.iter().all(|x| x.is_nan()), "{broken:?}");
    }

    #[test]
    fn a_relu_moves_by_hand() {
        // On and stays, on and ends, off and begins, off and stays, at 0 upwards, NaN.
        let at = [2.0f32, 2.0, -2.0, -2.0, 0.0, 1.0];
        let mut shifts = [-1.0f32, -3.0, 3.0, 1.0, 1e-30, f32::NAN];
        relu_shift(&at, &[0], Sides::Up, &mut shifts);
        assert_eq!(shifts[..5], [-1.0, -2.0, 1.0, 0.0, 1e-30]);
        assert!(shifts[5].is_nan());
    }
}
