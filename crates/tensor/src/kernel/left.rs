//! The left operand as tiles read it: in place, or copied to where it lies better.

use super::pack::overlap;
use super::walk::{APART, DEPTH, ROWS};
use crate::{Float, Mat};
use std::ops::Range;

/// Some rows and terms of the left operand, as a tile reads them.
#[derive(Clone, Copy)]
pub(super) struct Left<'a, T> {
    pub(super) data: &'a [T],
    pub(super) row: usize,
    pub(super) term: usize,
}

impl<'a, T: Float> Left<'a, T> {
    /// Where they lie, or copied to where they lie better.
    #[inline(always)]
    pub(super) fn new(
        a: &[Mat<'a, T>],
        terms: &Range<usize>,
        rows: Range<usize>,
        buffer: &'a mut [T],
    ) -> Self {
        if let &[a] = a
            && a.col_stride == 1
        {
            let start = rows.start * a.row_stride + terms.start;
            return Self { data: &a.data[start.min(a.data.len())..], row: a.row_stride, term: 1 };
        }
        // Short columns, as those of patches are, can stay where they are as well, unless they lie so far apart, or at such
        // distances, that they compete for the same few places of the first cache.
        if let &[a] = a
            && a.row_stride == 1
            && a.col_stride < 2 * DEPTH
            && !a.col_stride.is_multiple_of(64)
        {
            let start = terms.start * a.col_stride + rows.start;
            return Self { data: &a.data[start.min(a.data.len())..], row: 1, term: a.col_stride };
        }
        let turned = a[0].row_stride == 1;
        let (row, term) = if turned { (1, ROWS + APART) } else { (DEPTH + APART, 1) };
        let (mut first, mut at) = (0, 0);
        for a in a {
            let part = overlap(terms, first..first + a.cols);
            first += a.cols;
            if turned && a.row_stride == 1 {
                for (k, t) in part.clone().enumerate() {
                    let from = &a.data[t * a.col_stride + rows.start..][..rows.len()];
                    buffer[(at + k) * term..][..rows.len()].copy_from_slice(from);
                }
            } else if !turned && a.col_stride == 1 {
                for i in 0..rows.len() {
                    let from = &a.data[(rows.start + i) * a.row_stride + part.start..][..part.len()];
                    buffer[i * row + at..][..part.len()].copy_from_slice(from);
                }
            } else {
                for i in 0..rows.len() {
                    for (k, t) in part.clone().enumerate() {
                        let from = (rows.start + i) * a.row_stride + t * a.col_stride;
                        buffer[i * row + (at + k) * term] = a.data[from];
                    }
                }
            }
            at += part.len();
        }
        Self { data: buffer, row, term }
    }

    /// The same from a later row on.
    #[inline(always)]
    pub(super) fn from(self, row: usize) -> Self {
        Self { data: &self.data[(row * self.row).min(self.data.len())..], ..self }
    }
}
