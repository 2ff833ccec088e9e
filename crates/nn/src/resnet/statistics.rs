//! Running means and variances, which move with every training step and have no gradient.

use super::batch_norm::NormTape;
use super::conv::Conv;
use tensor::Float;

/// Weight of the new batch, PyTorch's default.
const MOMENTUM: f64 = 0.1;

/// Does nothing after an evaluation pass. As in PyTorch, the running variance is the unbiased estimate, while a batch is
/// normalised by its biased one.
pub(super) fn move_towards<T: Float>(params: &mut [T], conv: &Conv, norm: &NormTape<T>) {
    if !norm.training {
        return;
    }
    let keep = T::of(1.0 - MOMENTUM);
    let share = T::of(MOMENTUM);
    let unbiased = T::of(1.0 / norm.moments.rows.saturating_sub(1).max(1) as f64);
    for (running, &mean) in params[conv.mean.clone()].iter_mut().zip(&norm.moments.mean) {
        *running = keep.mul_add(*running, share * mean);
    }
    for (running, &squares) in params[conv.variance.clone()].iter_mut().zip(&norm.moments.squares) {
        *running = keep.mul_add(*running, share * squares * unbiased);
    }
}
