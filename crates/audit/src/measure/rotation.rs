//! Credit turned in the space of its features: what feedback drawn afresh would give, where nothing is known about the rule; and
//! feedback drawn afresh, where it is known to be direct.

use super::streams::{FEEDBACK, TURNS};
use tensor::random::{Purpose, Stream};

/// A signed permutation of the features: orthogonal, cheap at any width, and as good as any rotation for credit without
/// preferred axes.
pub(crate) fn rotation(seed: u64, draw: u64, width: usize) -> Vec<(usize, f64)> {
    let mut stream = Stream::at(seed, Purpose::Audit, TURNS, draw);
    let mut order: Vec<usize> = (0..width).collect();
    stream.shuffle(&mut order);
    order.into_iter().map(|from| (from, if stream.below(2) == 0 { 1.0 } else { -1.0 })).collect()
}

/// A matrix of fresh feedback, inputs × outputs; its scale does not matter.
pub(crate) fn fresh_feedback(seed: u64, draw: u64, inputs: usize, outputs: usize) -> Vec<f64> {
    let mut stream = Stream::at(seed, Purpose::Audit, FEEDBACK, draw);
    (0..inputs * outputs).map(|_| stream.normal()).collect()
}
