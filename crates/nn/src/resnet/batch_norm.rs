//! BatchNorm: statistics of a batch or of all batches so far, and the signal that passes through them.
//!
//! With x̂ = (z − μ)/σ and y = γ·x̂ + β over n values of a channel, a signal s at y gives dγ = Σ s·x̂, dβ = Σ s, and at z
//! γ/σ·s where μ and σ are fixed; where they are the batch's own, γ/σ·(s − Σs/n − x̂·Σ(s·x̂)/n).
//!
//! As in PyTorch, a batch is normalised by its biased variance (divided by n), while the running variance follows the unbiased
//! one (n − 1). Running means and variances move with every training step and have no gradient.

use super::conv::Conv;
use tensor::{Float, Moments, NormSlope, Normed, norm_sums};

/// Added to the variance, as in PyTorch.
pub(super) const EPS: f64 = 1e-5;
/// Weight of the new batch, PyTorch's default.
const MOMENTUM: f64 = 0.1;

/// A convolution's output, and the coefficients of its BatchNorm.
#[derive(Clone, Debug)]
pub(super) struct NormTape<T> {
    /// The BatchNorm's input.
    pub(super) z: Vec<T>,
    /// Whether the pass was for training: the batch's own statistics, rather than the running ones.
    pub(super) training: bool,
    /// The batch's statistics, in a training pass.
    pub(super) moments: Moments<T>,
    pub(super) mean: Vec<T>,
    /// 1/σ.
    rstd: Vec<T>,
    /// γ/σ.
    pub(super) scale: Vec<T>,
    /// β − μγ/σ.
    pub(super) shift: Vec<T>,
}

impl<T: Float> NormTape<T> {
    pub(super) fn new(conv: &Conv, rows: usize) -> Self {
        let zeros = |n: usize| vec![T::ZERO; n];
        let channels = conv.outputs();
        Self {
            z: zeros(rows * conv.out_width()),
            training: false,
            moments: Moments::new(channels),
            mean: zeros(channels),
            rstd: zeros(channels),
            scale: zeros(channels),
            shift: zeros(channels),
        }
    }

    /// Computes the coefficients once z is complete.
    pub(super) fn fix(&mut self, params: &[T], conv: &Conv) {
        let [running_mean, running_variance, gain, bias] =
            [&conv.mean, &conv.variance, &conv.norm.weight, &conv.norm.bias]
                .map(|range| &params[range.clone()]);
        let inverse = T::of(1.0 / self.moments.rows.max(1) as f64);
        for i in 0..conv.outputs() {
            let (mean, variance) = if self.training {
                (self.moments.mean[i], self.moments.squares[i] * inverse)
            } else {
                (running_mean[i], running_variance[i])
            };
            self.mean[i] = mean;
            self.rstd[i] = T::ONE / (variance + T::of(EPS)).sqrt();
            self.scale[i] = gain[i] * self.rstd[i];
            self.shift[i] = bias[i] - mean * self.scale[i];
        }
    }

    /// The BatchNorm of the first values.
    pub(super) fn normed(&self, values: usize) -> Normed<'_, T> {
        Normed { z: &self.z[..values], scale: &self.scale, shift: &self.shift }
    }
}

/// Sums of the signal at a BatchNorm's output, and the coefficients that follow from them.
#[derive(Clone, Debug)]
pub(super) struct NormSignal<T> {
    /// Σ s and Σ s·(z − μ) of each sample, channel by channel. Sums over a batch add samples, so they do not depend on the
    /// split into passes.
    sums: Vec<T>,
    spread: Vec<T>,
    level: Vec<T>,
}

impl<T: Float> NormSignal<T> {
    pub(super) fn new(conv: &Conv, rows: usize) -> Self {
        let channels = conv.outputs();
        let zeros = |n: usize| vec![T::ZERO; n];
        Self { sums: zeros(2 * rows * channels), spread: zeros(channels), level: zeros(channels) }
    }

    /// Takes the signal `s` of some samples from `first` on.
    pub(super) fn take(&mut self, norm: &NormTape<T>, first: usize, s: &[T], conv: &Conv) {
        let channels = conv.outputs();
        let width = conv.out_width();
        let z = norm.z[first * width..].chunks_exact(width);
        let sums = self.sums[2 * first * channels..].chunks_exact_mut(2 * channels);
        for ((s, z), sums) in s.chunks_exact(width).zip(z).zip(sums) {
            let (sum, slope) = sums.split_at_mut(channels);
            norm_sums(s, z, &norm.mean, sum, slope);
        }
    }

    /// Computes, after the last sample, how each value acts through the batch's statistics.
    pub(super) fn fix(&mut self, norm: &NormTape<T>, rows: usize) {
        let channels = self.level.len();
        self.spread.fill(T::ZERO);
        self.level.fill(T::ZERO);
        if !norm.training {
            return;
        }
        for sums in self.sums[..2 * rows * channels].chunks_exact(2 * channels) {
            for i in 0..channels {
                self.level[i] += sums[i];
                self.spread[i] += sums[channels + i];
            }
        }
        let share = T::of(-1.0 / norm.moments.rows as f64);
        for i in 0..channels {
            let factor = norm.scale[i] * share;
            self.level[i] *= factor;
            self.spread[i] *= factor * norm.rstd[i] * norm.rstd[i];
        }
    }

    /// The coefficients of the signal at the BatchNorm's input.
    pub(super) fn slope<'a>(&'a self, norm: &'a NormTape<T>) -> NormSlope<'a, T> {
        NormSlope { mean: &norm.mean, own: &norm.scale, spread: &self.spread, level: &self.level }
    }

    /// Adds the gradients of the BatchNorm's weight and bias, sample by sample.
    pub(super) fn add_gradient(&self, norm: &NormTape<T>, rows: usize, weight: &mut [T], bias: &mut [T]) {
        let channels = bias.len();
        for sums in self.sums[..2 * rows * channels].chunks_exact(2 * channels) {
            for i in 0..channels {
                weight[i] += sums[channels + i] * norm.rstd[i];
                bias[i] += sums[i];
            }
        }
    }
}

/// Moves the running mean and variance towards those of a batch; does nothing after an evaluation pass.
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
