//! Run-time choice of vector instructions, and sums in an order that vectorises.

use crate::Float;

/// Defines a function that is compiled twice: for the baseline of the architecture, and for AVX2 with fused
/// multiply-adds, which is chosen at run time if the machine has them. Whatever the body calls must be inlined, else it
/// keeps the instructions of the baseline.
macro_rules! vectorised {
    ($(#[$meta:meta])* $visible:vis fn $name:ident<T: Float>($($arg:ident: $kind:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        $visible fn $name<T: Float>($($arg: $kind),*) {
            #[inline(always)]
            fn plain<T: Float>($($arg: $kind),*) $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn wide<T: Float>($($arg: $kind),*) {
                    plain($($arg),*);
                }
                if crate::instructions::avx2() {
                    // SAFETY: the instructions that `wide` is compiled for have just been detected.
                    return unsafe { wide($($arg),*) };
                }
            }
            plain($($arg),*);
        }
    };
}
pub(crate) use vectorised;

/// Prefetches the cache line of `slice[index]`. An index outside the slice is harmless.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint and accepts any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(slice.as_ptr().wrapping_add(index).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}

/// Accumulators of a sum. Their number does not depend on the machine's vectors, so neither does the order of summation.
const LANES: usize = 16;

/// Σ term(a_i, b_i, …) over slices of the same length.
#[inline(always)]
pub(crate) fn sum<T: Float, const K: usize>(rows: [&[T]; K], term: impl Fn([T; K]) -> T) -> T {
    let n = rows[0].len();
    let rows = rows.map(|row| &row[..n]);
    let mut lanes = [T::ZERO; LANES];
    let whole = n - n % LANES;
    for start in (0..whole).step_by(LANES) {
        let parts: [&[T]; K] = rows.map(|row| &row[start..start + LANES]);
        for (i, lane) in lanes.iter_mut().enumerate() {
            *lane += term(parts.map(|part| part[i]));
        }
    }
    for i in whole..n {
        lanes[i - whole] += term(rows.map(|row| row[i]));
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] += lanes[i + width];
        }
        width /= 2;
    }
    lanes[0]
}

/// The largest value of a non-empty slice, in an order that vectorises; NaN is skipped.
#[inline(always)]
pub(crate) fn highest<T: Float>(row: &[T]) -> T {
    let mut lanes = [row[0]; LANES];
    let whole = row.len() - row.len() % LANES;
    for start in (0..whole).step_by(LANES) {
        let part = &row[start..start + LANES];
        for i in 0..LANES {
            lanes[i] = lanes[i].max(part[i]);
        }
    }
    for i in whole..row.len() {
        lanes[i - whole] = lanes[i - whole].max(row[i]);
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] = lanes[i].max(lanes[i + width]);
        }
        width /= 2;
    }
    lanes[0]
}
