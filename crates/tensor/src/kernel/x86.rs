//! The innermost loop in vectors of 32 bytes (AVX2) and 64 bytes (AVX-512), written out because the compiler does not
//! vectorise it reliably. Each value of the left operand is multiplied by two vectors of columns: with one, its load would
//! leave the multipliers waiting. At 64 bytes that takes two tiles.
//!
//! A value's chain of multiply-adds, and so its bytes, are those of every other tile that fuses them.

use super::tile::{AVX2, AVX512, AVX512_PAIR, Job, LOW, Strip, Tile};
use crate::PANEL;
use crate::instructions::{avx2, avx512};
use std::arch::x86_64::*;

/// A strip of tiles of that size; `$second` gives the columns and the target of the second vector.
macro_rules! strip {
    ($kind:ident, $feature:literal, $size:ident, |$job:ident| $second:expr,
     $zero:ident $load:ident $every:ident $fmadd:ident $add:ident $store:ident) => {{
        // Not inlined, so that sums stay in registers whatever the epilogue does with them.
        #[inline(never)]
        #[target_feature(enable = $feature)]
        fn sums($job: &Job<$kind>) {
            let (second, beyond) = $second;
            let mut sums = [[$zero(); $size.vectors]; $size.rows];
            let mut left = $job.left;
            let mut columns = [$job.columns[0], second];
            for _ in 0..$job.terms {
                // SAFETY: `Job::new` has checked all rows and columns against their slices, for each of the terms.
                let right: [_; $size.vectors] = std::array::from_fn(|j| unsafe { $load(columns[j]) });
                for (i, sums) in sums.iter_mut().enumerate() {
                    // SAFETY: as above.
                    let x = $every(unsafe { *left.add(i * $job.row) });
                    for (sum, &y) in sums.iter_mut().zip(&right) {
                        *sum = $fmadd(x, y, *sum);
                    }
                }
                left = left.wrapping_add($job.term);
                columns = columns.map(|columns| columns.wrapping_add(PANEL));
            }
            for (i, sums) in sums.iter().enumerate() {
                for (j, &sum) in sums.iter().enumerate() {
                    // SAFETY: as above, for the target of the tile.
                    unsafe {
                        let out = $job.out.add(i * $job.stride + j * beyond);
                        $store(out, if $job.add { $add($load(out), sum) } else { sum });
                    }
                }
            }
        }
        let tile: Tile<$kind> = |job| {
            // SAFETY: `strips!` returns a tile only if the instructions that it is compiled for were detected.
            unsafe { sums(job) }
        };
        Strip { rows: $size.rows, tile, pair: None }
    }};
}

/// Defines a function that returns the tall and the low strip of a number type, if the machine has AVX2; with `widest`,
/// the tall one uses AVX-512 where available.
macro_rules! strips {
    ($name:ident, $kind:ident, [$($narrow:ident)*], [$($wide:ident)*]) => {
        pub(super) fn $name(widest: bool) -> Option<[Strip<$kind>; 2]> {
            const LANES: usize = AVX2.columns::<$kind>() / AVX2.vectors;
            if !avx2() {
                return None;
            }
            let low = strip!($kind, "avx2,fma", LOW, |job| (job.columns[0].wrapping_add(LANES), LANES), $($narrow)*);
            let six = strip!($kind, "avx2,fma", AVX2, |job| (job.columns[0].wrapping_add(LANES), LANES), $($narrow)*);
            let one = strip!($kind, "avx512f", AVX512, |job| (job.columns[0], 0), $($wide)*);
            let two = strip!($kind, "avx512f", AVX512_PAIR, |job| (job.columns[1], job.beyond), $($wide)*);
            let widest = widest && avx512();
            let tall = if widest { Strip { pair: Some(two.tile), ..one } } else { six };
            Some([tall, low])
        }
    };
}
strips!(
    single, f32,
    [_mm256_setzero_ps _mm256_loadu_ps _mm256_set1_ps _mm256_fmadd_ps _mm256_add_ps _mm256_storeu_ps],
    [_mm512_setzero_ps _mm512_loadu_ps _mm512_set1_ps _mm512_fmadd_ps _mm512_add_ps _mm512_storeu_ps]
);
strips!(
    double, f64,
    [_mm256_setzero_pd _mm256_loadu_pd _mm256_set1_pd _mm256_fmadd_pd _mm256_add_pd _mm256_storeu_pd],
    [_mm512_setzero_pd _mm512_loadu_pd _mm512_set1_pd _mm512_fmadd_pd _mm512_add_pd _mm512_storeu_pd]
);
