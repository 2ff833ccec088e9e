//! Epilogues: what a network does with the values of a product, applied while they are still in registers.

use crate::simd::prefetch;
use crate::{Float, PANEL};
use std::ops::Range;

/// Consumes the values of a product.
pub trait Epilogue<T> {
    /// Whether values come block by block ([`Epilogue::block`]), rather than row by row of a tile ([`Epilogue::take`]).
    const IN_BLOCKS: bool = false;

    /// Announces the next values, so that the memory they go to can be prefetched.
    #[inline(always)]
    fn soon(&self, _row: usize, _col: usize) {}

    /// Takes values of one row from column `col` on. Each value of the product comes once.
    ///
    /// An implementation should read everything before it writes (see [`piece`]): the compiler cannot know that the slices
    /// do not overlap, and would not vectorise otherwise.
    #[inline(always)]
    fn take<const N: usize>(&mut self, _row: usize, _col: usize, _values: [T; N]) {}

    /// Takes a block of the product, in panels, and may overwrite it. Each value comes once; those of a row come from left to
    /// right.
    fn block(&mut self, _rows: Range<usize>, _cols: Range<usize>, _values: &mut [T]) {}
}

#[inline(always)]
pub(crate) fn scaled<T: Float, const N: usize>(mut values: [T; N], scale: T) -> [T; N] {
    for value in &mut values {
        *value *= scale;
    }
    values
}

/// `slice[start..start + N]` as an array.
#[inline(always)]
pub(crate) fn piece<T: Float, const N: usize>(slice: &[T], start: usize) -> [T; N] {
    let mut piece = [T::ZERO; N];
    piece.copy_from_slice(&slice[start..][..N]);
    piece
}

/// Prefetch the end of a row's segment: its start was prefetched with the segment before it.
const AHEAD: usize = PANEL - 1;

/// Writes y = value + bias.
#[derive(Debug)]
pub struct Biased<'a, T> {
    /// One per column.
    pub bias: &'a [T],
    /// The result.
    pub out: &'a mut [T],
}

impl<T: Float> Epilogue<T> for Biased<'_, T> {
    #[inline(always)]
    fn soon(&self, row: usize, col: usize) {
        prefetch(self.out, row * self.bias.len() + col + AHEAD);
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, row: usize, col: usize, values: [T; N]) {
        let y = biased(values, self.bias, col);
        self.out[row * self.bias.len() + col..][..N].copy_from_slice(&y);
    }
}

/// A nonlinearity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Phi<T> {
    /// Exact (erf) GELU.
    Gelu,
    /// (1−α)·z + α·tanh z.
    Blend(T),
}

/// Writes φ(value + bias) and φ's slope. For GELU, whose tail passes through all magnitudes, both are [`Float::flushed`].
#[derive(Debug)]
pub struct Activated<'a, T> {
    /// One per column.
    pub bias: &'a [T],
    /// φ.
    pub phi: Phi<T>,
    /// The activation.
    pub act: &'a mut [T],
    /// Its slope.
    pub slope: &'a mut [T],
}

impl<T: Float> Epilogue<T> for Activated<'_, T> {
    #[inline(always)]
    fn soon(&self, row: usize, col: usize) {
        let at = row * self.bias.len() + col + AHEAD;
        prefetch(self.act, at);
        prefetch(self.slope, at);
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, row: usize, col: usize, values: [T; N]) {
        let z = biased(values, self.bias, col);
        let start = row * self.bias.len() + col;
        let mut act = [T::ZERO; N];
        let mut slope = [T::ZERO; N];
        match self.phi {
            Phi::Gelu => {
                for i in 0..N {
                    let (value, derivative) = z[i].gelu();
                    act[i] = value.flushed();
                    slope[i] = derivative.flushed();
                }
            }
            Phi::Blend(alpha) => {
                let linear = T::ONE - alpha;
                for i in 0..N {
                    let t = z[i].tanh();
                    act[i] = linear * z[i] + alpha * t;
                    slope[i] = linear + alpha * (T::ONE - t * t);
                }
            }
        }
        self.act[start..][..N].copy_from_slice(&act);
        self.slope[start..][..N].copy_from_slice(&slope);
    }
}

/// Writes a branch f = value + bias, and `next` = h + f, or f without a skip connection.
#[derive(Debug)]
pub struct Residual<'a, T> {
    /// One per column.
    pub bias: &'a [T],
    /// The state that the branch is added to.
    pub h: Option<&'a [T]>,
    /// The branch.
    pub f: &'a mut [T],
    /// The next state.
    pub next: &'a mut [T],
}

impl<T: Float> Epilogue<T> for Residual<'_, T> {
    #[inline(always)]
    fn soon(&self, row: usize, col: usize) {
        let at = row * self.bias.len() + col + AHEAD;
        self.h.iter().for_each(|h| prefetch(h, at));
        prefetch(self.f, at);
        prefetch(self.next, at);
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, row: usize, col: usize, values: [T; N]) {
        let f = biased(values, self.bias, col);
        let start = row * self.bias.len() + col;
        let next = match self.h {
            Some(h) => add(piece(h, start), f),
            None => f,
        };
        self.f[start..][..N].copy_from_slice(&f);
        self.next[start..][..N].copy_from_slice(&next);
    }
}

/// Adds value + bias to an existing branch and state: the second half of a branch in two halves.
#[derive(Debug)]
pub struct Added<'a, T> {
    /// One per column.
    pub bias: &'a [T],
    /// The branch.
    pub f: &'a mut [T],
    /// The state.
    pub next: &'a mut [T],
}

impl<T: Float> Epilogue<T> for Added<'_, T> {
    #[inline(always)]
    fn soon(&self, row: usize, col: usize) {
        let at = row * self.bias.len() + col + AHEAD;
        prefetch(self.f, at);
        prefetch(self.next, at);
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, row: usize, col: usize, values: [T; N]) {
        let y = biased(values, self.bias, col);
        let start = row * self.bias.len() + col;
        let f = add(piece(self.f, start), y);
        let next = add(piece(self.next, start), y);
        self.f[start..][..N].copy_from_slice(&f);
        self.next[start..][..N].copy_from_slice(&next);
    }
}

/// Writes the values, times a factor, to adjacent columns of a wider matrix.
#[derive(Debug)]
pub struct Window<'a, T> {
    /// The wider matrix, from the window's first value on.
    pub out: &'a mut [T],
    /// Columns of the wider matrix.
    pub stride: usize,
    /// The factor.
    pub scale: T,
}

impl<T: Float> Epilogue<T> for Window<'_, T> {
    #[inline(always)]
    fn soon(&self, row: usize, col: usize) {
        prefetch(self.out, row * self.stride + col + AHEAD);
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, row: usize, col: usize, values: [T; N]) {
        self.out[row * self.stride + col..][..N].copy_from_slice(&scaled(values, self.scale));
    }
}

/// Writes value ∘ slope, [`Float::flushed`]: a signal that passes down through an activation.
#[derive(Debug)]
pub struct Sloped<'a, T> {
    /// Distance between rows in both.
    pub stride: usize,
    /// The activation's slope.
    pub slope: &'a [T],
    /// The result.
    pub out: &'a mut [T],
}

impl<T: Float> Epilogue<T> for Sloped<'_, T> {
    #[inline(always)]
    fn soon(&self, row: usize, col: usize) {
        let at = row * self.stride + col + AHEAD;
        prefetch(self.slope, at);
        prefetch(self.out, at);
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, row: usize, col: usize, values: [T; N]) {
        let start = row * self.stride + col;
        let mut out: [T; N] = piece(self.slope, start);
        for i in 0..N {
            out[i] = (out[i] * values[i]).flushed();
        }
        self.out[start..][..N].copy_from_slice(&out);
    }
}

#[inline(always)]
fn biased<T: Float, const N: usize>(values: [T; N], bias: &[T], col: usize) -> [T; N] {
    add(values, piece(bias, col))
}

#[inline(always)]
fn add<T: Float, const N: usize>(mut a: [T; N], b: [T; N]) -> [T; N] {
    for i in 0..N {
        a[i] += b[i];
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mat, product};

    /// Far in the tail of GELU, its value, its slope, and a signal times the slope are normal numbers or 0.
    #[test]
    fn no_subnormals_leave_an_activation() {
        const N: usize = 4096;
        let z: Vec<f32> = (0..N).map(|i| -20.0 + i as f32 * 5e-3).collect();
        let bias = vec![0.0; N];
        let one = [1.0];
        let [mut act, mut slope, mut below] = [(); 3].map(|()| vec![f32::NAN; N]);
        let mut activated = Activated { bias: &bias, phi: Phi::Gelu, act: &mut act, slope: &mut slope };
        product(&[Mat::new(&one, 1, 1)], &[Mat::new(&z, 1, N).into()], &mut activated);
        let signal = vec![1e-10; N];
        let mut sloped = Sloped { stride: N, slope: &slope, out: &mut below };
        product(&[Mat::new(&one, 1, 1)], &[Mat::new(&signal, 1, N).into()], &mut sloped);
        for values in [&act, &slope, &below] {
            assert!(values.iter().all(|&x| x == 0.0 || x.is_normal()));
        }
        // Without it, there would be many.
        let exact = slope.iter().map(|&slope| 1e-10 * slope);
        assert!(exact.clone().filter(|x| x.is_subnormal()).count() > 100);
        assert!(exact.zip(&below).all(|(exact, &below)| (exact - below).abs() < f32::MIN_POSITIVE));
    }
}
