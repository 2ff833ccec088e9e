//! Running means and variances, which move with every training step and which no gradient reaches.

use super::conv::Conv;
use super::norm::NormTape;
use super::{Resnet, ResnetTape};
use crate::Pass;
use tensor::Float;

/// Share of the new batch, as PyTorch's default.
const MOMENTUM: f64 = 0.1;

impl Resnet {
    /// Blocks that do not learn are included: their inputs change all the same.
    pub(super) fn run_on<T: Float>(&self, params: &mut [T], passes: &[Pass<'_, T, ResnetTape<T>>]) {
        for Pass { tape, .. } in passes {
            move_towards(params, &self.stem, &tape.stem);
            for (places, kept) in self.blocks.iter().zip(&tape.blocks) {
                move_towards(params, &places.first, &kept.first);
                move_towards(params, &places.second, &kept.second);
                if let (Some(places), Some(kept)) = (&places.short, &kept.short) {
                    move_towards(params, places, kept);
                }
            }
        }
    }
}

/// A pass for evaluation has found nothing. The running variance estimates that of the data, so it is the unbiased one,
/// though a batch is normalised by its own, the biased one; so does PyTorch.
fn move_towards<T: Float>(params: &mut [T], conv: &Conv, norm: &NormTape<T>) {
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
