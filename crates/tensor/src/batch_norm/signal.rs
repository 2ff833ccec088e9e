//! Backward: the signal before the ReLU, the sums that the gradients need, the signal before the BatchNorm.

use crate::epilogue::piece;
use crate::simd::vectorised;
use crate::{Float, PANEL};

vectorised! {
    /// `below = above` where that ReLU let its input pass, else 0.
    pub fn norm_relu_input_grad<T: Float>(above: &[T], z: &[T], scale: &[T], shift: &[T], below: &mut [T]) {
        by_panels!(scale.len(), norm_relu_input_grad_of(above, z, scale, shift, below));
    }
}

#[inline(always)]
fn norm_relu_input_grad_of<T: Float, const N: usize>(
    above: &[T],
    z: &[T],
    scale: &[T],
    shift: &[T],
    below: &mut [T],
    col: usize,
) {
    let cols = scale.len();
    let (scale, shift): ([T; N], [T; N]) = (piece(scale, col), piece(shift, col));
    let rows = above.chunks_exact(cols).zip(z.chunks_exact(cols)).zip(below.chunks_exact_mut(cols));
    for ((above, z), below) in rows {
        let (mut s, z): ([T; N], [T; N]) = (piece(above, col), piece(z, col));
        for i in 0..N {
            s[i] = if z[i].mul_add(scale[i], shift[i]) > T::ZERO { s[i] } else { T::ZERO };
        }
        below[col..col + N].copy_from_slice(&s);
    }
}

vectorised! {
    /// Σ s and Σ s ∘ (z − mean) of each column, over all rows.
    pub fn norm_sums<T: Float>(s: &[T], z: &[T], mean: &[T], sum: &mut [T], slope: &mut [T]) {
        by_panels!(mean.len(), norm_sums_of(s, z, mean, sum, slope));
    }
}

#[inline(always)]
fn norm_sums_of<T: Float, const N: usize>(
    s: &[T],
    z: &[T],
    mean: &[T],
    sum: &mut [T],
    slope: &mut [T],
    col: usize,
) {
    let cols = mean.len();
    let mean: [T; N] = piece(mean, col);
    let (mut total, mut along) = ([T::ZERO; N], [T::ZERO; N]);
    for (s, z) in s.chunks_exact(cols).zip(z.chunks_exact(cols)) {
        let (s, z): ([T; N], [T; N]) = (piece(s, col), piece(z, col));
        for i in 0..N {
            total[i] += s[i];
            along[i] = s[i].mul_add(z[i] - mean[i], along[i]);
        }
    }
    sum[col..col + N].copy_from_slice(&total);
    slope[col..col + N].copy_from_slice(&along);
}

/// From a signal s behind a BatchNorm to the one before it: `own ∘ s + spread ∘ (z − mean) + level`. The last two are how a
/// value acts through the batch's statistics, and 0 where those are fixed.
#[derive(Clone, Copy, Debug)]
pub struct NormSlope<'a, T> {
    /// Mean of z.
    pub mean: &'a [T],
    /// Of the signal at its own place.
    pub own: &'a [T],
    /// Through the variance.
    pub spread: &'a [T],
    /// Through the mean.
    pub level: &'a [T],
}

vectorised! {
    /// The signal before a BatchNorm.
    pub fn norm_input_grad<T: Float>(s: &[T], z: &[T], slope: NormSlope<'_, T>, out: &mut [T]) {
        by_panels!(slope.own.len(), norm_input_grad_of(s, z, slope, out));
    }
}

#[inline(always)]
fn norm_input_grad_of<T: Float, const N: usize>(
    s: &[T],
    z: &[T],
    slope: NormSlope<'_, T>,
    out: &mut [T],
    col: usize,
) {
    let cols = slope.own.len();
    let (mean, own): ([T; N], [T; N]) = (piece(slope.mean, col), piece(slope.own, col));
    let (spread, level): ([T; N], [T; N]) = (piece(slope.spread, col), piece(slope.level, col));
    let rows = s.chunks_exact(cols).zip(z.chunks_exact(cols)).zip(out.chunks_exact_mut(cols));
    for ((s, z), out) in rows {
        let (s, mut z): ([T; N], [T; N]) = (piece(s, col), piece(z, col));
        for i in 0..N {
            z[i] = own[i].mul_add(s[i], spread[i].mul_add(z[i] - mean[i], level[i]));
        }
        out[col..col + N].copy_from_slice(&z);
    }
}
