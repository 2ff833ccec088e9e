//! A tile of the result: its size, its operands, its target, and the innermost loop in plain Rust.

use super::left::Left;
use super::walk::DEPTH;
use crate::{Float, PANEL};

/// The sums that the innermost loop holds at once: rows of the result, each of `vectors` vectors of `bytes` bytes.
pub(super) struct Size {
    pub(super) rows: usize,
    pub(super) vectors: usize,
    bytes: usize,
}

/// The loop in plain Rust.
pub(super) const PORTABLE: Size = Size { rows: 4, vectors: 1, bytes: 32 };
/// The tall strip with AVX2.
#[cfg(target_arch = "x86_64")]
pub(super) const AVX2: Size = Size { rows: 6, vectors: 2, bytes: 32 };
/// The low strip, with AVX2 on every x86-64.
#[cfg(target_arch = "x86_64")]
pub(super) const LOW: Size = Size { rows: 4, vectors: 2, bytes: 32 };
/// The tall strip with AVX-512, one tile at a time.
pub(super) const AVX512: Size = Size { rows: 8, vectors: 1, bytes: 64 };
/// Two tiles at a time.
#[cfg(target_arch = "x86_64")]
pub(super) const AVX512_PAIR: Size = Size { rows: 8, vectors: 2, bytes: 64 };

/// Rows of a tile at most.
const MOST: usize = AVX512.rows;

impl Size {
    /// Columns of the result.
    pub(super) const fn columns<T>(&self) -> usize {
        self.vectors * self.bytes / size_of::<T>()
    }
}

/// The next strip with `left` rows to go: the tall one, or the low one where one or two of it waste fewer rows at the end.
/// The last strip may be taller than the rows left.
#[inline(always)]
pub(super) fn next<T: Float>([tall, low]: [Strip<T>; 2], left: usize) -> Strip<T> {
    let ends = left <= 2 * low.rows && left.next_multiple_of(low.rows) < left.next_multiple_of(tall.rows);
    if ends { low } else { tall }
}

/// A tile to compute, or two side by side: pointers and strides that have been checked against their slices.
pub(super) struct Job<T> {
    pub(super) left: *const T,
    pub(super) row: usize,
    pub(super) term: usize,
    pub(super) columns: [*const T; 2],
    pub(super) terms: usize,
    pub(super) out: *mut T,
    pub(super) stride: usize,
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only x86-64 computes two tiles at once")
    )]
    pub(super) beyond: usize,
    pub(super) add: bool,
}

/// Computes a tile of the job's size, with instructions that have been detected.
pub(super) type Tile<T> = fn(&Job<T>);

/// How `rows` rows are computed: one tile at a time or, with `pair`, two.
#[derive(Clone, Copy)]
pub(super) struct Strip<T> {
    pub(super) rows: usize,
    pub(super) tile: Tile<T>,
    pub(super) pair: Option<Tile<T>>,
}

/// Where a tile goes: rows `stride` values apart, the columns of a second tile `beyond` those of the first, written or
/// added.
pub(super) struct Target<'a, T> {
    pub(super) out: &'a mut [T],
    pub(super) stride: usize,
    pub(super) beyond: usize,
    pub(super) add: bool,
}

impl<T: Float> Job<T> {
    /// `tall` rows times `wide` columns of panels: the first `columns` go to the start of the target, the second `beyond`.
    ///
    /// # Panics
    /// When a slice is too short.
    #[inline(always)]
    pub(super) fn new(
        left: Left<'_, T>,
        columns: [&[T]; 2],
        terms: usize,
        target: Target<'_, T>,
        tall: usize,
        wide: usize,
    ) -> Self {
        let Target { out, stride, beyond, add } = target;
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

/// The innermost loop in plain Rust.
#[inline(always)]
pub(super) fn tile<T: Float, const MR: usize, const NR: usize, const FUSED: bool>(job: &Job<T>) {
    let mut sums = [[T::ZERO; NR]; MR];
    let mut left = job.left;
    let mut panel = job.columns[0];
    for _ in 0..job.terms {
        // SAFETY: `Job::new` has checked all rows and columns against their slices, for each of the terms.
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
        // SAFETY: as above, for the target of the tile.
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

/// A tile at the lower or right edge: computed whole in a buffer, with zeros for the missing rows.
#[inline(never)]
pub(super) fn edge<T: Float, const NR: usize>(
    left: Left<'_, T>,
    columns: &[T],
    terms: usize,
    target: Target<'_, T>,
    strip: Strip<T>,
    count: usize,
    wide: usize,
) {
    let Target { out, stride, add, .. } = target;
    let mut whole = [T::ZERO; MOST * PANEL];
    let mut job = |left| {
        let beside = Target { out: &mut whole, stride: NR, beyond: 0, add: false };
        (strip.tile)(&Job::new(left, [columns; 2], terms, beside, strip.rows, NR));
    };
    if count < strip.rows {
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
