//! The left operand as tiles read it: in place, or copied to a better layout.

use super::pack::overlap;
use super::walk::{APART, DEPTH, ROWS};
use crate::{Float, Mat};
use std::ops::Range;

/// Some rows and terms of the left operand; `row` and `term` are the strides.
#[derive(Clone, Copy)]
pub(super) struct Left<'a, T> {
    pub(super) data: &'a [T],
    pub(super) row: usize,
    pub(super) term: usize,
}

impl<'a, T: Float> Left<'a, T> {
    /// Points into the operand where its layout suits, else copies it into `buffer`.
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
        // Short columns, such as those of patches, are read in place too, unless their distance makes them compete for the
        // same few lines of the L1 cache.
        if let &[a] = a
            && a.row_stride == 1
            && a.col_stride < 2 * DEPTH
            && !a.col_stride.is_multiple_of(64)
        {
            let start = terms.start * a.col_stride + rows.start;
            return Self { data: &a.data[start.min(a.data.len())..], row: 1, term: a.col_stride };
        }
        let transposed = a[0].row_stride == 1;
        let (row, term) = if transposed { (1, ROWS + APART) } else { (DEPTH + APART, 1) };
        let mut first = 0;
        let mut copied = 0;
        for a in a {
            let part = overlap(terms, first..first + a.cols);
            first += a.cols;
            if transposed && a.row_stride == 1 {
                for (k, t) in part.clone().enumerate() {
                    let from = &a.data[t * a.col_stride + rows.start..][..rows.len()];
                    buffer[(copied + k) * term..][..rows.len()].copy_from_slice(from);
                }
            } else if !transposed && a.col_stride == 1 {
                for i in 0..rows.len() {
                    let from = &a.data[(rows.start + i) * a.row_stride + part.start..][..part.len()];
                    buffer[i * row + copied..][..part.len()].copy_from_slice(from);
                }
            } else {
                for i in 0..rows.len() {
                    for (k, t) in part.clone().enumerate() {
                        let from = (rows.start + i) * a.row_stride + t * a.col_stride;
                        buffer[i * row + (copied + k) * term] = a.data[from];
                    }
                }
            }
            copied += part.len();
        }
        Self { data: buffer, row, term }
    }

    /// The operand from a later row on.
    #[inline(always)]
    pub(super) fn from(self, row: usize) -> Self {
        Self { data: &self.data[(row * self.row).min(self.data.len())..], ..self }
    }
}
