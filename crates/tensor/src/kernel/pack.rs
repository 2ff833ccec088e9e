//! Copies the right operand into panels.

use super::walk::APART;
use crate::{Float, PANEL, Right};
use std::ops::Range;

/// Copies columns of the right operand into panels, row by row; the last panel is padded with zeros.
#[inline(always)]
pub(super) fn pack<T: Float>(b: &[Right<'_, T>], terms: &Range<usize>, cols: Range<usize>, out: &mut [T]) {
    let apart = terms.len() * PANEL + APART;
    let mut first = 0;
    let mut packed = 0;
    for b in b {
        let part = overlap(terms, first..first + b.rows());
        first += b.rows();
        for (panel, col) in cols.clone().step_by(PANEL).enumerate() {
            let wide = PANEL.min(cols.end - col);
            let out = &mut out[panel * apart + packed * PANEL..][..part.len() * PANEL];
            if wide < PANEL {
                out.fill(T::ZERO);
            }
            match b {
                Right::Mat(b) if b.col_stride == 1 && wide == PANEL => {
                    for (to, row) in out.chunks_exact_mut(PANEL).zip(part.clone()) {
                        to.copy_from_slice(&b.data[row * b.row_stride + col..][..PANEL]);
                    }
                }
                Right::Mat(b) if b.row_stride == 1 && wide == PANEL => {
                    transpose(
                        &b.data[(col * b.col_stride + part.start).min(b.data.len())..],
                        b.col_stride,
                        out,
                    );
                }
                Right::Mat(b) => {
                    for (to, row) in out.chunks_exact_mut(PANEL).zip(part.clone()) {
                        for (j, to) in to[..wide].iter_mut().enumerate() {
                            *to = b.data[row * b.row_stride + (col + j) * b.col_stride];
                        }
                    }
                }
                Right::Panels(b) => {
                    for (to, row) in out.chunks_exact_mut(PANEL).zip(part.clone()) {
                        to[..wide].copy_from_slice(&b.data[b.index(row, col)..][..wide]);
                    }
                }
                Right::Transposed(b) => {
                    let mut t = part.start;
                    for out in out.chunks_mut(PANEL * PANEL) {
                        // These terms are columns of one panel of the weight: whole panels are transposed at once.
                        let start = t / PANEL * PANEL;
                        let count = out.len() / PANEL;
                        let width = PANEL.min(b.cols - start);
                        if t == start && width == PANEL && count == PANEL && wide == PANEL {
                            transpose(&b.data[b.index(col, t)..], PANEL, out);
                            t += PANEL;
                        } else {
                            for to in out.chunks_exact_mut(PANEL) {
                                for (j, to) in to[..wide].iter_mut().enumerate() {
                                    *to = b.data[b.index(col + j, t)];
                                }
                                t += 1;
                            }
                        }
                    }
                }
            }
        }
        packed += part.len();
    }
}

/// The part of an operand's range `own` that is in `terms`, relative to the start of `own`.
#[inline(always)]
pub(super) fn overlap(terms: &Range<usize>, own: Range<usize>) -> Range<usize> {
    let start = terms.start.clamp(own.start, own.end);
    let end = terms.end.clamp(own.start, own.end);
    start - own.start..end - own.start
}

/// Side of the squares that are transposed at once.
pub(super) const SQUARE: usize = 4;

/// Writes [`PANEL`] rows of `from`, `stride` apart, as the columns of `to`.
#[inline(always)]
fn transpose<T: Float>(from: &[T], stride: usize, to: &mut [T]) {
    let terms = to.len() / PANEL;
    let squares = terms - terms % SQUARE;
    for p in (0..squares).step_by(SQUARE) {
        for j in (0..PANEL).step_by(SQUARE) {
            T::transpose(&from[j * stride + p..], stride, &mut to[p * PANEL + j..]);
        }
    }
    for p in squares..terms {
        for j in 0..PANEL {
            to[p * PANEL + j] = from[j * stride + p];
        }
    }
}

#[inline(always)]
pub(super) fn transpose_plain<T: Float>(from: &[T], stride: usize, to: &mut [T]) {
    for i in 0..SQUARE {
        for j in 0..SQUARE {
            to[i * PANEL + j] = from[j * stride + i];
        }
    }
}

/// [`transpose_plain`] in vector shuffles, which the compiler does not find by itself.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn transpose_f32(from: &[f32], stride: usize, to: &mut [f32]) {
    use std::arch::x86_64::*;
    let last = (SQUARE - 1) * stride + SQUARE;
    assert!(last <= from.len() && (SQUARE - 1) * PANEL + SQUARE <= to.len(), "a square");
    // SAFETY: the assertion bounds all four rows on both sides; SSE2 belongs to every x86-64.
    unsafe {
        let row = |j: usize| _mm_loadu_ps(from.as_ptr().add(j * stride));
        let t0 = _mm_unpacklo_ps(row(0), row(1));
        let t1 = _mm_unpackhi_ps(row(0), row(1));
        let t2 = _mm_unpacklo_ps(row(2), row(3));
        let t3 = _mm_unpackhi_ps(row(2), row(3));
        let mut put = |i: usize, column| _mm_storeu_ps(to.as_mut_ptr().add(i * PANEL), column);
        put(0, _mm_movelh_ps(t0, t2));
        put(1, _mm_movehl_ps(t2, t0));
        put(2, _mm_movelh_ps(t1, t3));
        put(3, _mm_movehl_ps(t3, t1));
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) use transpose_plain as transpose_f32;
