//! Root mean squares: the normalisation of credit by sample or by batch, and norms of gradients.

use crate::Float;
use crate::simd::{sum, vectorised};

/// Added to a root mean square before it divides. It matters: a credit far below it stays small instead of being scaled up to
/// unit size.
const GUARD: f64 = 1e-6;

vectorised! {
    /// `out = a / (RMS(a) + 1e-6)` row by row.
    pub fn rms_normalise<T: Float>(a: &[T], d: usize, out: &mut [T]) {
        let inverse = T::of(1.0 / d as f64);
        for (a, out) in a.chunks_exact(d).zip(out.chunks_exact_mut(d)) {
            let a = &a[..d];
            let out = &mut out[..d];
            let rms = (sum([a], |[x]| x * x) * inverse).sqrt();
            let factor = T::ONE / (rms + T::of(GUARD));
            for i in 0..d {
                out[i] = a[i] * factor;
            }
        }
    }
}

/// What rows of credit are multiplied by to be divided by the root mean square of all of them together.
///
/// ```
/// let rows = [[3.0f64, 4.0], [0.0, 5.0]];
/// let factor = tensor::rms_factor(rows.iter().map(|row| &row[..]));
/// assert_eq!(factor, 1.0 / (12.5f64.sqrt() + 1e-6));
/// ```
pub fn rms_factor<'a, T: Float>(rows: impl Iterator<Item = &'a [T]>) -> f64 {
    let mut squares = 0.0;
    let mut values = 0;
    for row in rows {
        squares += sum_of_squares(row);
        values += row.len();
    }
    1.0 / ((squares / values as f64).sqrt() + GUARD)
}

/// Σ x² in f64. The order of summation depends on the length alone.
///
/// ```
/// assert_eq!(tensor::sum_of_squares(&[3.0f32, 4.0]), 25.0);
/// ```
pub fn sum_of_squares<T: Float>(values: &[T]) -> f64 {
    let mut total = 0.0;
    add_squares(values, &mut total);
    total
}

/// Accumulators of a sum: as many on every machine.
const LANES: usize = 16;

vectorised! {
    fn add_squares<T: Float>(values: &[T], total: &mut f64) {
        let mut lanes = [0.0f64; LANES];
        let (whole, rest) = values.as_chunks::<LANES>();
        for part in whole {
            for i in 0..LANES {
                let x = part[i].to_f64();
                lanes[i] += x * x;
            }
        }
        for (lane, x) in lanes.iter_mut().zip(rest) {
            *lane += x.to_f64() * x.to_f64();
        }
        *total += lanes.iter().sum::<f64>();
    }
}
