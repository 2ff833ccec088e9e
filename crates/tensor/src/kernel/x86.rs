//! The innermost loop in vectors of 32 bytes (AVX2) and of 64 (AVX-512), written out because the compiler does not find
//! them reliably. Two vectors of columns stand side by side: beside each value of the left operand, which is loaded for itself,
//! one alone would leave the multipliers waiting. With 64 bytes that takes two tiles.
//!
//! The chain of multiply-adds of a value is that of every other tile that fuses them, and so are its bytes.

use super::tile::{Job, Strip, Tile};
use crate::PANEL;
use std::arch::is_x86_feature_detected;
use std::arch::x86_64::*;

/// A strip of tiles of `$rows` times `$vectors` vectors of sums; the second vector has its columns and its place in the result
/// where `$second` says.
macro_rules! strip {
    ($kind:ident, $feature:literal, $rows:literal, $vectors:literal, |$job:ident| $second:expr,
     $zero:ident $load:ident $every:ident $fmadd:ident $add:ident $store:ident) => {{
        // Not inlined, so that sums stay in registers whatever is done to them afterwards.
        #[inline(never)]
        #[target_feature(enable = $feature)]
        fn sums($job: &Job<$kind>) {
            let (second, beyond) = $second;
            let mut sums = [[$zero(); $vectors]; $rows];
            let (mut left, mut columns) = ($job.left, [$job.columns[0], second]);
            for _ in 0..$job.terms {
                // SAFETY: `Job::new` has found all rows and columns to lie in their slices, for each of the terms.
                let right: [_; $vectors] = std::array::from_fn(|j| unsafe { $load(columns[j]) });
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
                    // SAFETY: as above, for the places that the tile goes to.
                    unsafe {
                        let out = $job.out.add(i * $job.stride + j * beyond);
                        $store(out, if $job.add { $add($load(out), sum) } else { sum });
                    }
                }
            }
        }
        let tile: Tile<$kind> = |job| {
            // SAFETY: a tile is handed out where the instructions that it is compiled for have been found.
            unsafe { sums(job) }
        };
        Strip { rows: $rows, tile, pair: None }
    }};
}

/// A function that gives the strips for values of a type, a tall one and a low one, where the machine has the instructions:
/// those of AVX2 at least, and of AVX-512 if they are wanted.
macro_rules! strips {
    ($name:ident, $kind:ident, $lanes:literal, [$($narrow:ident)*], [$($wide:ident)*]) => {
        pub(super) fn $name(widest: bool) -> Option<[Strip<$kind>; 2]> {
            if !is_x86_feature_detected!("avx2") || !is_x86_feature_detected!("fma") {
                return None;
            }
            let low = strip!($kind, "avx2,fma", 4, 2, |job| (job.columns[0].wrapping_add($lanes), $lanes), $($narrow)*);
            let six = strip!($kind, "avx2,fma", 6, 2, |job| (job.columns[0].wrapping_add($lanes), $lanes), $($narrow)*);
            let one = strip!($kind, "avx512f", 8, 1, |job| (job.columns[0], 0), $($wide)*);
            let two = strip!($kind, "avx512f", 8, 2, |job| (job.columns[1], job.beyond), $($wide)*);
            let widest = widest && is_x86_feature_detected!("avx512f");
            let tall = if widest { Strip { pair: Some(two.tile), ..one } } else { six };
            Some([tall, low])
        }
    };
}
strips!(
    single, f32, 8,
    [_mm256_setzero_ps _mm256_loadu_ps _mm256_set1_ps _mm256_fmadd_ps _mm256_add_ps _mm256_storeu_ps],
    [_mm512_setzero_ps _mm512_loadu_ps _mm512_set1_ps _mm512_fmadd_ps _mm512_add_ps _mm512_storeu_ps]
);
strips!(
    double, f64, 4,
    [_mm256_setzero_pd _mm256_loadu_pd _mm256_set1_pd _mm256_fmadd_pd _mm256_add_pd _mm256_storeu_pd],
    [_mm512_setzero_pd _mm512_loadu_pd _mm512_set1_pd _mm512_fmadd_pd _mm512_add_pd _mm512_storeu_pd]
);
