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
pub(crate) const AHEAD: usize = PANEL - 1;

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

#[inline(always)]
pub(crate) fn biased<T: Float, const N: usize>(values: [T; N], bias: &[T], col: usize) -> [T; N] {
    add(values, piece(bias, col))
}

#[inline(always)]
fn add<T: Float, const N: usize>(mut a: [T; N], b: [T; N]) -> [T; N] {
    for i in 0..N {
        a[i] += b[i];
    }
    a
}
