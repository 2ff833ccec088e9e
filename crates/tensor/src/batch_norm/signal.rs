//! Backward: the signal at the ReLU's input, the sums for the gradients, the signal at the BatchNorm's input.

use crate::epilogue::piece;
use crate::simd::vectorised;
use crate::{Float, PANEL};

by_panels! {
    /// `below = above` where the ReLU passed its input, else 0.
    pub fn norm_relu_input_grad<T, N>(above: &[T], z: &[T], scale: &[T], shift: &[T], below: &mut [T]),
    col in 0..scale.len(), {
        let cols = scale.len();
        let scale: [T; N] = piece(scale, col);
        let shift: [T; N] = piece(shift, col);
        let rows = above.chunks_exact(cols).zip(z.chunks_exact(cols)).zip(below.chunks_exact_mut(cols));
        for ((above, z), below) in rows {
            let mut s: [T; N] = piece(above, col);
            let z: [T; N] = piece(z, col);
            for i in 0..N {
                s[i] = if z[i].mul_add(scale[i], shift[i]) > T::ZERO { s[i] } else { T::ZERO };
            }
            below[col..col + N].copy_from_slice(&s);
        }
    }
}

by_panels! {
    /// Σ s and Σ s ∘ (z − mean) of each column, over all rows.
    pub fn norm_sums<T, N>(s: &[T], z: &[T], mean: &[T], sum: &mut [T], slope: &mut [T]),
    col in 0..mean.len(), {
        let cols = mean.len();
        let mean: [T; N] = piece(mean, col);
        let mut total = [T::ZERO; N];
        let mut along = [T::ZERO; N];
        for (s, z) in s.chunks_exact(cols).zip(z.chunks_exact(cols)) {
            let s: [T; N] = piece(s, col);
            let z: [T; N] = piece(z, col);
            for i in 0..N {
                total[i] += s[i];
                along[i] = s[i].mul_add(z[i] - mean[i], along[i]);
            }
        }
        sum[col..col + N].copy_from_slice(&total);
        slope[col..col + N].copy_from_slice(&along);
    }
}

/// The signal at a BatchNorm's input from the signal s at its output: `own ∘ s + spread ∘ (z − mean) + level`. The last
/// two terms act through the batch's statistics; they are 0 where those are fixed.
#[derive(Clone, Copy, Debug)]
pub struct NormSlope<'a, T> {
    /// Mean of z.
    pub mean: &'a [T],
    /// Factor of the signal at the same position.
    pub own: &'a [T],
    /// Through the variance.
    pub spread: &'a [T],
    /// Through the mean.
    pub level: &'a [T],
}

by_panels! {
    /// The signal at a BatchNorm's input.
    pub fn norm_input_grad<T, N>(s: &[T], z: &[T], slope: NormSlope<'_, T>, out: &mut [T]),
    col in 0..slope.own.len(), {
        let cols = slope.own.len();
        let [mean, own, spread, level]: [[T; N]; 4] =
            [slope.mean, slope.own, slope.spread, slope.level].map(|row| piece(row, col));
        let rows = s.chunks_exact(cols).zip(z.chunks_exact(cols)).zip(out.chunks_exact_mut(cols));
        for ((s, z), out) in rows {
            let s: [T; N] = piece(s, col);
            let mut z: [T; N] = piece(z, col);
            for i in 0..N {
                z[i] = own[i].mul_add(s[i], spread[i].mul_add(z[i] - mean[i], level[i]));
            }
            out[col..col + N].copy_from_slice(&z);
        }
    }
}
