//! The matrix kernel: small tiles of the result held in registers, the right operand in panels, so that every load from it
//! is a whole vector.
//!
//! A value of the result is a chain of multiply-adds in the order of the inner index, cut every so many terms, and
//! nothing else: its bytes depend neither on the shape of the product around it nor on who computes which part. That is
//! what lets any number of threads share the rows of a batch, or the columns of a gradient, without a trace.
//!
//! Finished values go to a [`Finish`] while they are still in registers or in the nearest cache: a bias and an activation,
//! or a step of the optimiser, costs no pass of its own over memory.

use crate::simd::prefetch;
use crate::{Float, Mat, PANEL, Right};
use std::cell::RefCell;
use std::ops::Range;

#[cfg(target_arch = "x86_64")]
mod x86;

/// What becomes of the values of a product.
pub trait Finish<T> {
    /// Whether values are wanted block by block, rather than row by row of a tile.
    const IN_BLOCKS: bool = false;

    /// Says where values will come from soon, so that the memory they go to can be on its way.
    #[inline(always)]
    fn soon(&self, _row: usize, _col: usize) {}

    /// Takes values of one row from column `col` on. Each value of the product comes once.
    ///
    /// Whoever writes this reads all that it needs before it writes: only then can the compiler, which does not know that
    /// the places are apart, work on whole vectors. [`piece`] helps.
    #[inline(always)]
    fn take<const N: usize>(&mut self, _row: usize, _col: usize, _values: [T; N]) {}

    /// Takes a block of the product, in panels, to do with as it likes. Each value comes once; those of a row come from
    /// left to right.
    fn block(&mut self, _rows: Range<usize>, _cols: Range<usize>, _values: &mut [T]) {}
}

/// Terms after which a partial sum is put down: a panel of them stays in the first cache.
const DEPTH: usize = 256;
/// Rows and columns of the result that are worked on together: their operands stay in the second cache.
const ROWS: usize = 128;
const COLS: usize = 256;

/// Terms and columns of values of a type: half as many where each takes twice the room.
const fn extent<T>() -> (usize, usize) {
    (DEPTH * 4 / size_of::<T>(), COLS * 4 / size_of::<T>())
}

/// Packed operands, and a part of the result, one set a thread.
#[derive(Debug)]
struct Buffers<T> {
    left: Vec<T>,
    right: Vec<T>,
    sums: Vec<T>,
}

/// The kernel's size and instructions for each number type.
pub trait Kernel: Sized {
    /// The sum of the products `a[i] · b[i]`, whose shapes fit.
    fn product<F: Finish<Self>>(a: &[Mat<'_, Self>], b: &[Right<'_, Self>], finish: &mut F);

    /// `out = scale · a · b`, compiled once for all who call it.
    fn matmul(out: &mut [Self], scale: Self, a: Mat<'_, Self>, b: Right<'_, Self>);

    /// Turns [`SQUARE`] rows of as many values into columns.
    fn turn(from: &[Self], stride: usize, to: &mut [Self]);
}

macro_rules! kernel {
    ($kind:ident, $wide:literal, $narrow:literal, $strips:ident, $turn:ident) => {
        impl Kernel for $kind {
            fn product<F: Finish<$kind>>(a: &[Mat<'_, $kind>], b: &[Right<'_, $kind>], finish: &mut F) {
                thread_local!(static BUFFERS: RefCell<Buffers<$kind>> = const {
                    RefCell::new(Buffers { left: Vec::new(), right: Vec::new(), sums: Vec::new() })
                });
                BUFFERS.with_borrow_mut(|buffers| {
                    #[cfg(target_arch = "x86_64")]
                    {
                        #[target_feature(enable = "avx2,fma")]
                        fn wide<F: Finish<$kind>>(
                            a: &[Mat<'_, $kind>],
                            b: &[Right<'_, $kind>],
                            finish: &mut F,
                            buffers: &mut Buffers<$kind>,
                            strips: [Strip<$kind>; 2],
                        ) {
                            blocks::<$kind, F, $wide>(a, b, finish, buffers, strips);
                        }
                        if let Some(strips) = x86::$strips(true) {
                            // SAFETY: where there are strips, the instructions that `wide` is compiled for were found.
                            return unsafe { wide(a, b, finish, buffers, strips) };
                        }
                    }
                    // Without an instruction for it a fused multiply-add is a call, which would take longer than all else.
                    const FUSED: bool = cfg!(not(target_arch = "x86_64"));
                    let strip = Strip { rows: 4, tile: tile::<$kind, 4, $narrow, FUSED>, pair: None };
                    blocks::<$kind, F, $narrow>(a, b, finish, buffers, [strip; 2]);
                });
            }

            fn matmul(out: &mut [$kind], scale: $kind, a: Mat<'_, $kind>, b: Right<'_, $kind>) {
                let cols = b.cols();
                Self::product(&[a], &[b], &mut Put { out, cols, scale });
            }

            #[inline(always)]
            fn turn(from: &[$kind], stride: usize, to: &mut [$kind]) {
                $turn(from, stride, to);
            }
        }
    };
}
kernel!(f32, 16, 8, single, turn_f32);
kernel!(f64, 8, 4, double, turn_plain);

/// Writes the values, times a factor, to a matrix.
struct Put<'a, T> {
    out: &'a mut [T],
    cols: usize,
    scale: T,
}

impl<T: Float> Finish<T> for Put<'_, T> {
    #[inline(always)]
    fn soon(&self, row: usize, col: usize) {
        prefetch(self.out, row * self.cols + col + PANEL - 1);
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, row: usize, col: usize, values: [T; N]) {
        self.out[row * self.cols + col..][..N].copy_from_slice(&scaled(values, self.scale));
    }
}

#[inline(always)]
pub(crate) fn scaled<T: Float, const N: usize>(mut values: [T; N], scale: T) -> [T; N] {
    for value in &mut values {
        *value *= scale;
    }
    values
}

/// `N` values of a slice from a place on.
#[inline(always)]
pub(crate) fn piece<T: Float, const N: usize>(slice: &[T], start: usize) -> [T; N] {
    let mut piece = [T::ZERO; N];
    piece.copy_from_slice(&slice[start..][..N]);
    piece
}

/// Walks over the result block by block.
#[inline(always)]
fn blocks<T: Float, F: Finish<T>, const NR: usize>(
    a: &[Mat<'_, T>],
    b: &[Right<'_, T>],
    finish: &mut F,
    buffers: &mut Buffers<T>,
    strips: [Strip<T>; 2],
) {
    let (rows, cols) = (a[0].rows, b[0].cols());
    let depth: usize = a.iter().map(|a| a.cols).sum();
    // A shallow product, as that of a gradient is, has room for more columns, and its left operand is copied once for them.
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
                let panels = match *b {
                    [Right::Panels(b)] if cols.is_multiple_of(PANEL) => b.part(col, &terms),
                    _ => {
                        if packed.replace((col, term)) != Some((col, term)) {
                            pack(b, &terms, col..col + width, right);
                        }
                        (&*right, terms.len() * PANEL + APART)
                    }
                };
                let left = Left::new(a, &terms, row..row + height, left);
                let (add, last) = (term > 0, terms.end == depth);
                let mut start = 0;
                while start < height {
                    let Strip { rows: tall, tile, pair } = next(strips, height - start);
                    let count = tall.min(height - start);
                    let left = left.from(start);
                    let mut from = 0;
                    while from < width {
                        // In a block the result lies in panels, of which the last may be narrow; else in rows.
                        let (first, narrow) = (from / PANEL * PANEL, PANEL.min(width - from / PANEL * PANEL));
                        let (place, stride) = if F::IN_BLOCKS {
                            (first * height + start * narrow + from - first, narrow)
                        } else if depth > cut {
                            (start * COLS + from, COLS)
                        } else {
                            (0, 2 * NR)
                        };
                        let out = &mut sums[place..];
                        let columns = |from: usize| {
                            let at = from / PANEL * panels.1 + from % PANEL;
                            &panels.0[at.min(panels.0.len())..]
                        };
                        let whole = count == tall && from + NR <= width;
                        let pair = pair.filter(|_| whole && from + 2 * NR <= width);
                        let (tiles, wide) =
                            if pair.is_some() { (2, 2 * NR) } else { (1, NR.min(width - from)) };
                        if last {
                            for j in 0..tiles {
                                (0..count).for_each(|i| finish.soon(row + start + i, col + from + j * NR));
                            }
                        }
                        if let Some(pair) = pair {
                            let both = [columns(from), columns(from + NR)];
                            let beyond = if F::IN_BLOCKS && NR == PANEL { PANEL * height } else { NR };
                            pair(&Job::new(left, both, terms.len(), (out, stride, beyond), (tall, NR), add));
                        } else if whole {
                            let one = [columns(from); 2];
                            tile(&Job::new(left, one, terms.len(), (out, stride, 0), (tall, NR), add));
                        } else {
                            let size = (count, tall, wide);
                            edge::<T, NR>(
                                left,
                                columns(from),
                                terms.len(),
                                (&mut *out, stride),
                                size,
                                add,
                                tile,
                            );
                        }
                        if last && !F::IN_BLOCKS && whole {
                            for j in (0..tiles).map(|j| j * NR) {
                                for i in 0..count {
                                    finish.take(
                                        row + start + i,
                                        col + from + j,
                                        piece::<T, NR>(out, i * stride + j),
                                    );
                                }
                            }
                        } else if last && !F::IN_BLOCKS {
                            for (i, j) in (0..count).flat_map(|i| (0..wide).map(move |j| (i, j))) {
                                finish.take(row + start + i, col + from + j, [out[i * stride + j]]);
                            }
                        }
                        from += wide;
                    }
                    start += tall;
                }
            }
            if F::IN_BLOCKS {
                finish.block(row..row + height, col..col + width, &mut sums[..height * width]);
            }
        }
    }
}

/// Rows and panels that are copied are kept so many values apart beyond their own length, a cache line or more, so that
/// their beginnings do not all compete for the same few places of a cache.
const APART: usize = 16;

/// Some rows and terms of the left operand, as a tile reads them.
#[derive(Clone, Copy)]
struct Left<'a, T> {
    data: &'a [T],
    row: usize,
    term: usize,
}

impl<'a, T: Float> Left<'a, T> {
    /// Where they lie, or copied to where they lie better.
    #[inline(always)]
    fn new(a: &[Mat<'a, T>], terms: &Range<usize>, rows: Range<usize>, buffer: &'a mut [T]) -> Self {
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
    fn from(self, row: usize) -> Self {
        Self { data: &self.data[(row * self.row).min(self.data.len())..], ..self }
    }
}

/// The next strip where so many rows are left: mostly the tall one, and the low one where one or two of it waste less at
/// the end. The last strip may be taller than what is left.
#[inline(always)]
fn next<T: Float>([tall, low]: [Strip<T>; 2], left: usize) -> Strip<T> {
    let ends = left <= 2 * low.rows && left.next_multiple_of(low.rows) < left.next_multiple_of(tall.rows);
    if ends { low } else { tall }
}

/// A tile to be computed, or two side by side: pointers and strides that were found to lie inside their slices.
struct Job<T> {
    left: *const T,
    row: usize,
    term: usize,
    columns: [*const T; 2],
    terms: usize,
    out: *mut T,
    stride: usize,
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "only x86-64 computes two tiles at once")
    )]
    beyond: usize,
    add: bool,
}

/// Computes a tile of the size that the job was made for, with instructions that were found.
type Tile<T> = fn(&Job<T>);

/// How so many rows are computed: a tile at a time or, where that can be, two.
#[derive(Clone, Copy)]
struct Strip<T> {
    rows: usize,
    tile: Tile<T>,
    pair: Option<Tile<T>>,
}

impl<T: Float> Job<T> {
    /// `tall` rows times `wide` columns of panels, written to `out` or added to what is there: the first of the `columns` to
    /// its beginning, the second `beyond` that.
    ///
    /// # Panics
    /// When a slice is too short.
    #[inline(always)]
    fn new(
        left: Left<'_, T>,
        columns: [&[T]; 2],
        terms: usize,
        (out, stride, beyond): (&mut [T], usize, usize),
        (tall, wide): (usize, usize),
        add: bool,
    ) -> Self {
        if let Some(last) = terms.checked_sub(1) {
            assert!((tall - 1) * left.row + last * left.term < left.data.len(), "the rows are there");
            assert!(columns.iter().all(|columns| last * PANEL + wide <= columns.len()), "and the columns");
        }
        assert!(beyond + (tall - 1) * stride + wide <= out.len(), "a tile fits");
        Self {
            left: left.data.as_ptr(),
            row: left.row,
            term: left.term,
            columns: columns.map(<[T]>::as_ptr),
            terms,
            out: out.as_mut_ptr(),
            stride,
            beyond,
            add,
        }
    }
}

/// The innermost loop, as the compiler makes it.
#[inline(always)]
fn tile<T: Float, const MR: usize, const NR: usize, const FUSED: bool>(job: &Job<T>) {
    let mut sums = [[T::ZERO; NR]; MR];
    let (mut left, mut panel) = (job.left, job.columns[0]);
    for _ in 0..job.terms {
        // SAFETY: `Job::new` has found all rows and columns to lie in their slices, for each of the terms.
        let columns = unsafe { &*panel.cast::<[T; NR]>() };
        for (i, sums) in sums.iter_mut().enumerate() {
            // SAFETY: as above.
            let x = unsafe { *left.add(i * job.row) };
            for (sum, &y) in sums.iter_mut().zip(columns) {
                *sum = if FUSED { x.mul_add(y, *sum) } else { *sum + x * y };
            }
        }
        left = left.wrapping_add(job.term);
        panel = panel.wrapping_add(PANEL);
    }
    for (i, sums) in sums.iter().enumerate() {
        // SAFETY: as above, for the place that the tile goes to.
        let out = unsafe { &mut *job.out.add(i * job.stride).cast::<[T; NR]>() };
        if job.add {
            for (out, &sum) in out.iter_mut().zip(sums) {
                *out += sum;
            }
        } else {
            *out = *sums;
        }
    }
}

/// A tile at the lower or right edge: computed whole beside the result, with zeros for the rows that are not there.
#[inline(never)]
fn edge<T: Float, const NR: usize>(
    left: Left<'_, T>,
    columns: &[T],
    terms: usize,
    (out, stride): (&mut [T], usize),
    (count, tall, wide): (usize, usize, usize),
    add: bool,
    tile: Tile<T>,
) {
    let mut whole = [T::ZERO; MOST * PANEL];
    let mut job = |left| tile(&Job::new(left, [columns; 2], terms, (&mut whole, NR, 0), (tall, NR), false));
    if count < tall {
        let mut rows = [T::ZERO; MOST * DEPTH];
        for (row, i) in rows.chunks_exact_mut(DEPTH).zip(0..count) {
            for (t, value) in row[..terms].iter_mut().enumerate() {
                *value = left.data[i * left.row + t * left.term];
            }
        }
        job(Left { data: &rows[..], row: DEPTH, term: 1 });
    } else {
        job(left);
    }
    for i in 0..count {
        for (out, &sum) in out[i * stride..][..wide].iter_mut().zip(&whole[i * NR..]) {
            *out = if add { *out + sum } else { sum };
        }
    }
}

/// Rows of a tile at most.
const MOST: usize = 8;

/// Copies columns of the right operand into panels, row after row; the last panel is filled up with zeros.
#[inline(always)]
fn pack<T: Float>(b: &[Right<'_, T>], terms: &Range<usize>, cols: Range<usize>, out: &mut [T]) {
    let apart = terms.len() * PANEL + APART;
    let (mut first, mut at) = (0, 0);
    for b in b {
        let part = overlap(terms, first..first + b.rows());
        first += b.rows();
        for (panel, col) in cols.clone().step_by(PANEL).enumerate() {
            let wide = PANEL.min(cols.end - col);
            let out = &mut out[panel * apart + at * PANEL..][..part.len() * PANEL];
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
                        to[..wide].copy_from_slice(&b.data[b.place(row, col)..][..wide]);
                    }
                }
                Right::Turned(b) => {
                    let mut t = part.start;
                    for out in out.chunks_mut(PANEL * PANEL) {
                        // As far as the panel of the weight goes whose columns these terms are.
                        let (of, whole) = (t / PANEL * PANEL, out.len() / PANEL);
                        let w = PANEL.min(b.cols - of);
                        if t == of && w == PANEL && whole == PANEL && wide == PANEL {
                            transpose(&b.data[b.place(col, t)..], PANEL, out);
                            t += PANEL;
                        } else {
                            for to in out.chunks_exact_mut(PANEL) {
                                for (j, to) in to[..wide].iter_mut().enumerate() {
                                    *to = b.data[b.place(col + j, t)];
                                }
                                t += 1;
                            }
                        }
                    }
                }
            }
        }
        at += part.len();
    }
}

/// The part of the terms `own` of an operand that lies in `terms`, counted from the operand's own first.
#[inline(always)]
fn overlap(terms: &Range<usize>, own: Range<usize>) -> Range<usize> {
    let (start, end) = (terms.start.clamp(own.start, own.end), terms.end.clamp(own.start, own.end));
    start - own.start..end - own.start
}

/// Side of the squares that are turned at once.
const SQUARE: usize = 4;

/// Writes [`PANEL`] rows of `from`, `stride` apart, as the columns of `to`.
#[inline(always)]
fn transpose<T: Float>(from: &[T], stride: usize, to: &mut [T]) {
    let terms = to.len() / PANEL;
    let squares = terms - terms % SQUARE;
    for p in (0..squares).step_by(SQUARE) {
        for j in (0..PANEL).step_by(SQUARE) {
            T::turn(&from[j * stride + p..], stride, &mut to[p * PANEL + j..]);
        }
    }
    for p in squares..terms {
        for j in 0..PANEL {
            to[p * PANEL + j] = from[j * stride + p];
        }
    }
}

#[inline(always)]
fn turn_plain<T: Float>(from: &[T], stride: usize, to: &mut [T]) {
    for i in 0..SQUARE {
        for j in 0..SQUARE {
            to[i * PANEL + j] = from[j * stride + i];
        }
    }
}

/// The same in four shuffles of whole vectors, which the compiler does not find by itself.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn turn_f32(from: &[f32], stride: usize, to: &mut [f32]) {
    use std::arch::x86_64::*;
    let last = (SQUARE - 1) * stride + SQUARE;
    assert!(last <= from.len() && (SQUARE - 1) * PANEL + SQUARE <= to.len(), "a square");
    // SAFETY: the assertion bounds all four rows on both sides; SSE2 belongs to every x86-64.
    unsafe {
        let row = |j: usize| _mm_loadu_ps(from.as_ptr().add(j * stride));
        let (t0, t1) = (_mm_unpacklo_ps(row(0), row(1)), _mm_unpackhi_ps(row(0), row(1)));
        let (t2, t3) = (_mm_unpacklo_ps(row(2), row(3)), _mm_unpackhi_ps(row(2), row(3)));
        let mut put = |i: usize, column| _mm_storeu_ps(to.as_mut_ptr().add(i * PANEL), column);
        put(0, _mm_movelh_ps(t0, t2));
        put(1, _mm_movehl_ps(t2, t0));
        put(2, _mm_movelh_ps(t1, t3));
        put(3, _mm_movehl_ps(t3, t1));
    }
}

#[cfg(not(target_arch = "x86_64"))]
use turn_plain as turn_f32;

/// So many values of a buffer, from the start of a cache line on.
fn aligned<T: Float>(buffer: &mut Vec<T>, len: usize) -> &mut [T] {
    if buffer.len() < len + APART {
        buffer.resize(len + APART, T::ZERO);
    }
    let offset = buffer.as_ptr().align_offset(64).min(APART);
    &mut buffer[offset..offset + len]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Stream};
    use crate::{Panels, in_panels, matmul, product};
    use proptest::prelude::*;

    fn plain(a: &[f64], b: &[f64], m: usize, n: usize, k: usize) -> Vec<f64> {
        let at = |i: usize, j: usize| (0..k).map(|p| a[i * k + p] * b[p * n + j]).sum();
        (0..m * n).map(|ij| at(ij / n, ij % n)).collect()
    }

    fn transposed(a: &[f64], rows: usize, cols: usize) -> Vec<f64> {
        (0..rows * cols).map(|i| a[(i % rows) * cols + i / rows]).collect()
    }

    fn panels(a: &[f64], rows: usize, cols: usize) -> Vec<f64> {
        let mut out = vec![f64::NAN; rows * cols];
        for (i, &x) in a.iter().enumerate() {
            out[in_panels(rows, cols, i / cols, i % cols)] = x;
        }
        out
    }

    /// Every kind of operand, in both precisions, against the definition.
    fn check(m: usize, n: usize, k: usize, seed: u64) -> Result<(), TestCaseError> {
        let mut stream = Stream::new(seed, Purpose::Init);
        let mut draw = |len: usize| (0..len).map(|_| stream.normal()).collect::<Vec<f64>>();
        let (a, b) = (draw(m * k), draw(k * n));
        let (at, bt) = (transposed(&a, m, k), transposed(&b, k, n));
        let (bp, btp) = (panels(&b, k, n), panels(&bt, n, k));
        let expected = plain(&a, &b, m, n, k);
        let rights = [
            Right::Mat(Mat::new(&b, k, n)),
            Right::Mat(Mat::new(&bt, n, k).t()),
            Right::Panels(Panels::new(&bp, k, n)),
            Right::Turned(Panels::new(&btp, n, k)),
        ];
        let lefts = [Mat::new(&a, m, k), Mat::new(&at, k, m).t()];
        let mut first = None;
        for left in lefts {
            for right in rights {
                let mut out = vec![f64::NAN; m * n];
                matmul(&mut out, 2.0, left, right);
                let mut blocks = Collected { cols: n, out: vec![f64::NAN; m * n] };
                product(&[left], &[right], &mut blocks);
                prop_assert!(blocks.out.iter().zip(&out).all(|(x, y)| 2.0 * x == *y), "in blocks: {right:?}");
                for (got, want) in out.iter().zip(&expected) {
                    prop_assert!((got - 2.0 * want).abs() < 1e-12 * (1.0 + k as f64), "{right:?}");
                }
                prop_assert_eq!(
                    first.get_or_insert_with(|| out.clone()),
                    &out,
                    "to the byte, however it lies"
                );
            }
        }
        let single = |x: &[f64]| x.iter().map(|&x| x as f32).collect::<Vec<f32>>();
        let (a, bp, btp) = (single(&a), single(&bp), single(&btp));
        for right in [Right::Panels(Panels::new(&bp, k, n)), Right::Turned(Panels::new(&btp, n, k))] {
            let mut out = vec![f32::NAN; m * n];
            matmul(&mut out, 1.0, Mat::new(&a, m, k), right);
            let mut blocks = Collected { cols: n, out: vec![f32::NAN; m * n] };
            product(&[Mat::new(&a, m, k)], &[right], &mut blocks);
            prop_assert_eq!(&blocks.out, &out, "in blocks");
            for (got, want) in out.iter().zip(&expected) {
                prop_assert!((f64::from(*got) - want).abs() < 1e-5 * (1.0 + k as f64));
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn agrees_with_the_definition(m in 1usize..40, n in 1usize..40, k in 0usize..70, seed: u64) {
            check(m, n, k, seed)?;
        }

        /// A product in parts of any length, and of some rows and columns, has the bytes of the whole.
        #[test]
        fn parts_leave_no_trace(m in 1usize..30, n in 1usize..40, k in 1usize..600, cut in 0usize..600, seed: u64) {
            let mut stream = Stream::new(seed, Purpose::Init);
            let mut draw = |len: usize| (0..len).map(|_| stream.normal() as f32).collect::<Vec<f32>>();
            let (at, b, cut) = (draw(k * m), draw(k * n), cut % k);
            let mut whole = vec![f32::NAN; m * n];
            matmul(&mut whole, 1.0, Mat::new(&at, k, m).t(), Mat::new(&b, k, n));
            let (x, y) = (at.split_at(cut * m), b.split_at(cut * n));
            let (first, last) = ((seed % n as u64) as usize, n);
            let right = |b, rows| Right::Mat(Mat::new(b, rows, n).cols(first..last));
            let mut parts = Collected { cols: last - first, out: vec![f32::NAN; m * (last - first)] };
            product(
                &[Mat::new(x.0, cut, m).t(), Mat::new(x.1, k - cut, m).t()],
                &[right(y.0, cut), right(y.1, k - cut)],
                &mut parts,
            );
            for (i, part) in parts.out.chunks_exact(last - first).enumerate() {
                prop_assert_eq!(part, &whole[i * n + first..(i + 1) * n]);
            }
        }
    }

    /// Larger than every block of the kernel, in each direction and in all.
    #[test]
    fn blocks_fit_together() {
        for (m, n, k) in
            [(300, 20, 10), (7, 32, 0), (7, 600, 40), (20, 18, 700), (140, 530, 300), (129, 257, 513)]
        {
            check(m, n, k, 7).expect("as defined");
        }
    }

    /// A product with tiles of one kind.
    fn by<T: Float, const NR: usize>(strips: [Strip<T>; 2], a: Mat<'_, T>, b: Right<'_, T>) -> Vec<T> {
        let mut out = vec![T::ZERO; a.rows * b.cols()];
        let mut buffers = Buffers { left: Vec::new(), right: Vec::new(), sums: Vec::new() };
        let mut put = Put { out: &mut out, cols: b.cols(), scale: T::ONE };
        blocks::<T, _, NR>(&[a], &[b], &mut put, &mut buffers, strips);
        out
    }

    /// What machines with other vector instructions, or none, run, in both precisions: the same bytes wherever multiply-adds
    /// are fused, and elsewhere the same but for rounding.
    #[test]
    fn all_kernels_agree() {
        fn compare<T: Float, const NR: usize, const WIDE: usize>(
            wide: &[Option<[Strip<T>; 2]>],
            tolerance: f64,
        ) {
            let mut stream = Stream::new(4, Purpose::Init);
            for (m, n, k) in
                [(1, 1, 1), (5, 23, 9), (13, 16, 300), (19, 48, 30), (30, 40, 257), (140, 70, 257)]
            {
                let mut draw = |len: usize| (0..len).map(|_| T::of(stream.normal())).collect::<Vec<T>>();
                let (a, b) = (draw(m * k), draw(k * n));
                let (a, b) = (Mat::new(&a, m, k), Right::Panels(Panels::new(&b, k, n)));
                let strip = |tile| [Strip { rows: 4, tile, pair: None }; 2];
                let fused = by::<T, NR>(strip(tile::<T, 4, NR, true>), a, b);
                let parted = by::<T, NR>(strip(tile::<T, 4, NR, false>), a, b);
                for (x, y) in fused.iter().zip(&parted) {
                    assert!((x.to_f64() - y.to_f64()).abs() < tolerance * k as f64, "{m} x {n} x {k}");
                }
                for &strips in wide.iter().flatten() {
                    assert_eq!(by::<T, WIDE>(strips, a, b), fused, "{m} x {n} x {k}");
                }
                let mut chosen = vec![T::ZERO; m * n];
                matmul(&mut chosen, T::ONE, a, b);
                assert!(chosen == fused || chosen == parted, "{m} x {n} x {k}: bytes of neither");
            }
        }
        #[cfg(target_arch = "x86_64")]
        let (single, double) = ([false, true].map(x86::single), [false, true].map(x86::double));
        #[cfg(not(target_arch = "x86_64"))]
        let (single, double) = ([], []);
        compare::<f32, 8, 16>(&single, 1e-6);
        compare::<f64, 4, 8>(&double, 1e-15);
    }

    /// Takes blocks where the other tests take rows.
    struct Collected<T> {
        cols: usize,
        out: Vec<T>,
    }

    impl<T: Float> Finish<T> for Collected<T> {
        const IN_BLOCKS: bool = true;

        fn block(&mut self, rows: Range<usize>, cols: Range<usize>, values: &mut [T]) {
            for (i, row) in rows.clone().enumerate() {
                for (j, col) in cols.clone().enumerate() {
                    self.out[row * self.cols + col] = values[in_panels(rows.len(), cols.len(), i, j)];
                }
            }
        }
    }
}
