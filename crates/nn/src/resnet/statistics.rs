//! Running means and variances, which move with every training step and which no gradient reaches.

use super::conv::Conv;
use super::norm::NormTape;
use tensor::Float;

/// Share of the new batch, as PyTorch's default.
const MOMENTUM: f64 = 0.1;

/// A pass for evaluation has found nothing. The running variance estimates that of the data, so it is the unbiased one,
/// though a batch is normalised by its own, the biased one; so does PyTorch.
pub(super) fn move_towards<T: Float>(params: &mut [T], conv: &Conv, norm: &NormTape<T>) {
    if !norm.training {
        return;
    }
    let (keep, share) = (T::of(1.0 - MOMENTUM), T::of(MOMENTUM));
    let unbiased = T::of(1.0 / norm.moments.rows.saturating_sub(1).max(1) as f64);
    for (running, &mean) in params[conv.mean.clone()].iter_mut().zip(&norm.moments.mean) {
        *running = keep.mul_add(*running, share * mean);
    }
    for (running, &squares) in params[conv.variance.clone()].iter_mut().zip(&norm.moments.squares) {
        *running = keep.mul_add(*running, share * squares * unbiased);
    }
}
