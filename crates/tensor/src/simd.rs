//! Run-time choice of vector instructions.

use pulp::Arch;

/// Runs `work` in code compiled for the widest vector instructions this machine has.
///
/// Plain loops inside `work` are vectorised for that machine, so one binary is fast everywhere. What `work` calls
/// must be inlined, else it keeps the instructions of the baseline.
#[inline(always)]
pub(crate) fn vectorised<R>(work: impl FnOnce() -> R) -> R {
    Arch::new().dispatch(work)
}

/// Accumulators of a reduction. A fixed number of them, whatever the machine's vectors hold, fixes the order of
/// summation and leaves room for two of the widest registers.
const LANES: usize = 16;

use crate::Float;

/// Σ term(i) for i in 0..n, in a fixed order that vectorises.
#[inline(always)]
pub(crate) fn sum<T: Float>(n: usize, term: impl Fn(usize) -> T) -> T {
    let mut lanes = [T::ZERO; LANES];
    let whole = n - n % LANES;
    let mut start = 0;
    while start < whole {
        for (lane, slot) in lanes.iter_mut().enumerate() {
            *slot += term(start + lane);
        }
        start += LANES;
    }
    for i in whole..n {
        lanes[i - whole] += term(i);
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] = lanes[i] + lanes[i + width];
        }
        width /= 2;
    }
    lanes[0]
}
