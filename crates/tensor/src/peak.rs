//! The peak of the machine: fused multiply-adds that never wait.

use std::hint::black_box;

const ROUNDS: usize = 100_000;

/// Multiplies and adds in independent chains: enough to hide the latency of a multiply-add in every vector unit, few
/// enough to stay in the registers of AVX2 (or, twice as many, of AVX-512).
#[inline(always)]
fn burst<const CHAINS: usize>() -> f64 {
    let mut lanes: [f32; CHAINS] = std::array::from_fn(|i| i as f32);
    let factor = black_box(0.999_9);
    let term = black_box(1e-4);
    for _ in 0..ROUNDS {
        for lane in &mut lanes {
            *lane = lane.mul_add(factor, term);
        }
    }
    black_box(lanes);
    (2 * CHAINS * ROUNDS) as f64
}

/// Runs f32 multiply-adds that touch no memory, with the widest vectors that products use, and returns the number of
/// floating-point operations. Its time gives the peak that products are compared with.
pub fn fma_burst() -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f")]
        fn widest() -> f64 {
            burst::<192>()
        }
        #[target_feature(enable = "avx2,fma")]
        fn wide() -> f64 {
            burst::<96>()
        }
        if crate::instructions::avx512() {
            // SAFETY: the instructions that `widest` is compiled for have just been detected.
            return unsafe { widest() };
        }
        if crate::instructions::avx2() {
            // SAFETY: the instructions that `wide` is compiled for have just been detected.
            return unsafe { wide() };
        }
    }
    burst::<96>()
}
