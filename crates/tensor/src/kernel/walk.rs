//! The walk over the result: block by block, and within a block strip by strip and tile by tile.

use super::left::Left;
use super::pack::pack;
use super::tile::{Job, Strip, Target, edge, next};
use crate::epilogue::piece;
use crate::{Epilogue, Float, Mat, PANEL, Right};

/// Terms after which a partial sum is stored: a panel of them fits into the L1 cache.
pub(super) const DEPTH: usize = 256;
/// Rows and columns of a block of the result: their operands fit into the L2 cache.
pub(super) const ROWS: usize = 128;
const COLS: usize = 256;

/// Padding, in values, after each copied row or panel: a cache line or more, so that their starts do not all compete for
/// the same few lines of a cache.
pub(super) const APART: usize = 16;

/// Terms and columns of a block: half as many for values of twice the size.
const fn extent<T>() -> (usize, usize) {
    (DEPTH * 4 / size_of::<T>(), COLS * 4 / size_of::<T>())
}

/// Packed operands and a block of the result, one set per thread.
#[derive(Debug)]
pub(super) struct Buffers<T> {
    left: Vec<T>,
    right: Vec<T>,
    sums: Vec<T>,
}

impl<T> Buffers<T> {
    pub(super) const fn new() -> Self {
        Self { left: Vec::new(), right: Vec::new(), sums: Vec::new() }
    }
}

/// `len` values of a buffer, from the start of a cache line.
fn aligned<T: Float>(buffer: &mut Vec<T>, len: usize) -> &mut [T] {
    if buffer.len() < len + APART {
        buffer.resize(len + APART, T::ZERO);
    }
    let offset = buffer.as_ptr().align_offset(64).min(APART);
    &mut buffer[offset..offset + len]
}

/// A block of the result, and which of its terms are added.
#[derive(Clone, Copy)]
struct Block {
    row: usize,
    col: usize,
    height: usize,
    width: usize,
    terms: usize,
    /// The sums already hold earlier terms.
    add: bool,
    /// These are the last terms.
    last: bool,
    /// The block takes several rounds of terms and keeps its sums between them.
    deep: bool,
}

/// Walks over the result block by block.
#[inline(always)]
pub(super) fn blocks<T: Float, E: Epilogue<T>, const NR: usize>(
    a: &[Mat<'_, T>],
    b: &[Right<'_, T>],
    epilogue: &mut E,
    buffers: &mut Buffers<T>,
    strips: [Strip<T>; 2],
) {
    let rows = a[0].rows;
    let cols = b[0].cols();
    let depth: usize = a.iter().map(|a| a.cols).sum();
    // A shallow product, such as a gradient's, has room for more columns, which share one copy of the left operand.
    let (cut, across) = extent::<T>();
    let (most, across) = if depth <= cut / 2 { (ROWS / 2, 2 * across) } else { (ROWS, across) };
    let left = aligned(&mut buffers.left, (ROWS * (DEPTH + APART)).max(DEPTH * (ROWS + APART)));
    let right = aligned(&mut buffers.right, (DEPTH + 2) * COLS);
    let sums = aligned(&mut buffers.sums, ROWS * COLS);
    let mut packed = None;
    for col in (0..cols).step_by(across) {
        let width = across.min(cols - col);
        for row in (0..rows).step_by(most) {
            let height = most.min(rows - row);
            for term in (0..depth.max(1)).step_by(cut) {
                let terms = term..depth.min(term + cut);
                let (panels, apart) = match *b {
                    [Right::Panels(b)] if cols.is_multiple_of(PANEL) => b.starting_at(terms.start, col),
                    _ => {
                        if packed.replace((col, term)) != Some((col, term)) {
                            pack(b, &terms, col..col + width, right);
                        }
                        (&*right, terms.len() * PANEL + APART)
                    }
                };
                let left = Left::new(a, &terms, row..row + height, left);
                let block = Block {
                    row,
                    col,
                    height,
                    width,
                    terms: terms.len(),
                    add: term > 0,
                    last: terms.end == depth,
                    deep: depth > cut,
                };
                tiles::<T, E, NR>(block, left, panels, apart, sums, strips, epilogue);
            }
            if E::IN_BLOCKS {
                epilogue.block(row..row + height, col..col + width, &mut sums[..height * width]);
            }
        }
    }
}

/// Adds the terms of a block tile by tile, and passes finished values to the epilogue. Panels are `apart` values apart.
#[inline(always)]
fn tiles<T: Float, E: Epilogue<T>, const NR: usize>(
    block: Block,
    left: Left<'_, T>,
    panels: &[T],
    apart: usize,
    sums: &mut [T],
    strips: [Strip<T>; 2],
    epilogue: &mut E,
) {
    let Block { row, col, height, width, terms, add, last, deep } = block;
    let columns = |from: usize| &panels[(from / PANEL * apart + from % PANEL).min(panels.len())..];
    let mut start = 0;
    while start < height {
        let strip = next(strips, height - start);
        let tall = strip.rows;
        let count = tall.min(height - start);
        let left = left.from(start);
        let mut from = 0;
        while from < width {
            // In a block the result is in panels, of which the last may be narrow; else in rows.
            let first = from / PANEL * PANEL;
            let narrow = PANEL.min(width - first);
            let (place, stride) = if E::IN_BLOCKS {
                (first * height + start * narrow + from - first, narrow)
            } else if deep {
                (start * COLS + from, COLS)
            } else {
                (0, 2 * NR)
            };
            let out = &mut sums[place..];
            let whole = count == tall && from + NR <= width;
            let pair = strip.pair.filter(|_| whole && from + 2 * NR <= width);
            let (tiles, wide) = if pair.is_some() { (2, 2 * NR) } else { (1, NR.min(width - from)) };
            if last {
                for j in 0..tiles {
                    (0..count).for_each(|i| epilogue.soon(row + start + i, col + from + j * NR));
                }
            }
            if let Some(pair) = pair {
                let both = [columns(from), columns(from + NR)];
                let beyond = if E::IN_BLOCKS && NR == PANEL { PANEL * height } else { NR };
                pair(&Job::new(left, both, terms, Target { out, stride, beyond, add }, tall, NR));
            } else if whole {
                let one = [columns(from); 2];
                (strip.tile)(&Job::new(left, one, terms, Target { out, stride, beyond: 0, add }, tall, NR));
            } else {
                let target = Target { out, stride, beyond: 0, add };
                edge::<T, NR>(left, columns(from), terms, target, strip, count, wide);
            }
            if last && !E::IN_BLOCKS && whole {
                for j in (0..tiles).map(|j| j * NR) {
                    for i in 0..count {
                        let values = piece::<T, NR>(out, i * stride + j);
                        epilogue.take(row + start + i, col + from + j, values);
                    }
                }
            } else if last && !E::IN_BLOCKS {
                for (i, j) in (0..count).flat_map(|i| (0..wide).map(move |j| (i, j))) {
                    epilogue.take(row + start + i, col + from + j, [out[i * stride + j]]);
                }
            }
            from += wide;
        }
        start += tall;
    }
}
