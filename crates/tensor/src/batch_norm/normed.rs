//! Forward: the normalised values with the ReLU or the residual sum that follows.

use crate::epilogue::piece;
use crate::simd::vectorised;
use crate::{Float, PANEL};

by_panels! {
    /// `out = max(0, scale ∘ z + shift)`: a BatchNorm whose statistics are known, and the ReLU after it.
    pub fn norm_relu<T, N>(z: &[T], scale: &[T], shift: &[T], out: &mut [T]), col in 0..scale.len(), {
        let cols = scale.len();
        let scale: [T; N] = piece(scale, col);
        let shift: [T; N] = piece(shift, col);
        for (z, out) in z.chunks_exact(cols).zip(out.chunks_exact_mut(cols)) {
            let mut y: [T; N] = piece(z, col);
            for i in 0..N {
                y[i] = y[i].mul_add(scale[i], shift[i]);
                // `max` would turn NaN into 0.
                y[i] = if y[i] < T::ZERO { T::ZERO } else { y[i] };
            }
            out[col..col + N].copy_from_slice(&y);
        }
    }
}

/// A BatchNorm whose statistics are known: its input, and one factor and summand per column.
#[derive(Clone, Copy, Debug)]
pub struct Normed<'a, T> {
    /// Input rows.
    pub z: &'a [T],
    /// Factor.
    pub scale: &'a [T],
    /// Summand.
    pub shift: &'a [T],
}

by_panels! {
    /// Writes the branch f that ends in a BatchNorm, plus that of a shortcut if there is one, and `next` = h + f, or f
    /// without a skip connection.
    pub fn norm_residual<T, N>(
        branch: Normed<'_, T>,
        short: Option<Normed<'_, T>>,
        h: Option<&[T]>,
        f: &mut [T],
        next: &mut [T],
    ), col in 0..branch.scale.len(), {
        let cols = branch.scale.len();
        let scale: [T; N] = piece(branch.scale, col);
        let shift: [T; N] = piece(branch.shift, col);
        let zero = ([T::ZERO; N], [T::ZERO; N]);
        let (short_scale, short_shift) = short.map_or(zero, |s| (piece(s.scale, col), piece(s.shift, col)));
        for start in (col..branch.z.len()).step_by(cols) {
            let mut value: [T; N] = piece(branch.z, start);
            for i in 0..N {
                value[i] = value[i].mul_add(scale[i], shift[i]);
            }
            if let Some(short) = short {
                let z: [T; N] = piece(short.z, start);
                for i in 0..N {
                    value[i] += z[i].mul_add(short_scale[i], short_shift[i]);
                }
            }
            let mut sum = value;
            if let Some(h) = h {
                let h: [T; N] = piece(h, start);
                for i in 0..N {
                    sum[i] += h[i];
                }
            }
            f[start..start + N].copy_from_slice(&value);
            next[start..start + N].copy_from_slice(&sum);
        }
    }
}
