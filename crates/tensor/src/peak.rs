//! The speed limit: fused multiply-adds that wait for nothing.

use crate::Float;
use crate::simd::vectorised;
use std::hint::black_box;

/// Independent chains: enough to hide the latency of a multiply-add in every vector unit.
const CHAINS: usize = 96;
const ROUNDS: usize = 100_000;

vectorised! {
    /// Multiplies and adds without touching memory.
    fn burst<T: Float>(lanes: &mut [T; CHAINS], factor: T, term: T) {
        let mut chains = *lanes;
        for _ in 0..ROUNDS {
            for lane in &mut chains {
                *lane = lane.mul_add(factor, term);
            }
        }
        *lanes = chains;
    }
}

/// Runs f32 multiply-adds that touch no memory and returns how many floating-point operations that was. Timing it
/// gives the peak that products are measured against.
pub fn fma_burst() -> f64 {
    let mut lanes: [f32; CHAINS] = std::array::from_fn(|i| i as f32);
    burst(&mut lanes, black_box(0.999_9), black_box(1e-4));
    black_box(lanes);
    (2 * CHAINS * ROUNDS) as f64
}
