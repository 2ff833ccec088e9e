//! From the signals on the tapes to gradients, and the update.

use super::{Chunk, Learner};
use crate::parameter_shares::{Flat, Stretch, share_out, stretches};
use crate::{AfterStep, Batch, BatchView, BrokenGradient, Signals};
use nn::{Network, Pass, Tape};
use tensor::{AdamW, Float, GradientSink, side_by_side, sum_of_squares};

impl<T: Float, N: Network<T>> Learner<T, N> {
    /// The gradient of a batch, given all its chunks, as long as the parameters; 0 for frozen parameters.
    pub fn gradient(&self, chunks: &[Chunk<T, N>]) -> Vec<T> {
        let (passes, scale) = passes(chunks, self.net.shape().inputs);
        let mut gradient = vec![T::ZERO; self.params.len()];
        for range in &self.trained {
            let params = &self.params[range.clone()];
            let into = &mut gradient[range.clone()];
            self.net.gradient(&passes, scale, range.clone(), GradientSink::Keep { params, into });
        }
        gradient
    }

    /// The parameter gradients of all units, as means over the samples of a chunk. The first is from the rule's credit as used
    /// in training, without the penalty. The second is from p: the true gradient of the mean loss.
    pub fn gradients(&self, chunk: &mut Chunk<T, N>, seen: &Signals<T>) -> [Vec<T>; 2] {
        let credit = |l: usize, tape: &mut N::Tape| self.unpenalised(&seen.credit[l], l, tape);
        [self.gradient_of(chunk, credit), self.true_gradient(chunk, &seen.p)]
    }

    /// The second of [`Learner::gradients`] alone.
    pub fn true_gradient(&self, chunk: &mut Chunk<T, N>, p: &[Vec<T>]) -> Vec<T> {
        self.gradient_of(chunk, |l, tape| tape.signal_mut(l).0.copy_from_slice(&p[l]))
    }

    /// The gradient from the signals that `place` puts on the tape at h_l.
    fn gradient_of(&self, chunk: &mut Chunk<T, N>, place: impl Fn(usize, &mut N::Tape)) -> Vec<T> {
        for l in 0..=self.net.shape().blocks {
            place(l, &mut chunk.tape);
            if let Some(block) = l.checked_sub(1) {
                self.net.branch_vjp(&self.params, block, &mut chunk.tape, None);
            }
        }
        self.gradient(std::slice::from_ref(chunk))
    }

    /// Step `t` (from 1) of the optimiser along the gradient of a batch, of which these are all chunks, on so many threads.
    /// Each thread takes parameters of its own, so that their number leaves no trace. Gradients of a norm are taken from the
    /// weights behind it: between [`Learner::learn`] and here no parameter may change.
    ///
    /// # Errors
    /// If a gradient that is to be clipped has no finite norm: the first such unit, which is not moved.
    pub fn descend(
        &mut self,
        t: u64,
        optimiser: AdamW,
        chunks: &[Chunk<T, N>],
        threads: usize,
    ) -> Result<(), BrokenGradient> {
        self.teach(t, optimiser, chunks);
        let (passes, scale) = passes(chunks, self.net.shape().inputs);
        let passes = &passes[..];
        let net = &self.net;
        let clip = self.modifiers.clip;
        let step = optimiser.step(t);
        let work = |share: Vec<(Stretch, Flat<'_, T>)>, kept: &mut Vec<T>| {
            let mut broken = None;
            for (stretch, flat) in share {
                let range = stretch.range;
                let Some(unit) = stretch.clipped else {
                    let Flat { params, first, second } = flat;
                    net.gradient(passes, scale, range, GradientSink::Descend { params, first, second, step });
                    continue;
                };
                kept.resize(range.len(), T::ZERO);
                let sink = GradientSink::Keep { params: &*flat.params, into: kept };
                net.gradient(passes, scale, range, sink);
                let norm = sum_of_squares(kept).sqrt();
                if norm.is_finite() {
                    flat.descend(step.scaled(clip.factor(norm)), kept);
                } else {
                    broken = broken.or(Some(BrokenGradient { unit, norm }));
                }
            }
            broken
        };
        let flat = Flat { params: &mut self.params, first: &mut self.first, second: &mut self.second };
        let shares = flat.cut(share_out(stretches(net, &self.trained, &clip), threads));
        self.scratch.resize(shares.len(), Vec::new());
        let shares = shares.into_iter().zip(&mut self.scratch);
        let broken = side_by_side(shares, |(share, kept)| work(share, kept));
        if let Some(broken) = broken.into_iter().flatten().next() {
            return Err(broken);
        }
        net.take_statistics(&mut self.params, passes);
        if let Some(Chunk { gradient, .. }) = chunks.first() {
            let params = &mut self.params[..];
            let trained = &self.trained[..];
            self.rule.after_step(&mut AfterStep { t, optimiser, net, params, trained, gradient });
        }
        Ok(())
    }

    /// Shows the rule the whole batch.
    fn teach(&mut self, t: u64, optimiser: AdamW, chunks: &[Chunk<T, N>]) {
        let samples = chunks.iter().map(|chunk| chunk.labels.len()).sum();
        let top = self.net.shape().blocks;
        let mut views: Vec<BatchView<'_, T, N>> = Vec::with_capacity(chunks.len());
        for chunk in chunks.iter().filter(|chunk| !chunk.labels.is_empty()) {
            let p_last = &chunk.p_last[..self.size(chunk, top)];
            views.push(chunk.view(&self.net, &self.params, p_last, samples));
        }
        self.rule.learn(&Batch { t, optimiser, chunks: &views });
    }
}

/// All samples of a batch for the network's gradient, and 1/N for the mean.
fn passes<'a, T: Float, N: Network<T>>(
    chunks: &'a [Chunk<T, N>],
    inputs: usize,
) -> (Vec<Pass<'a, T, N::Tape>>, T) {
    let samples: usize = chunks.iter().map(|chunk| chunk.labels.len()).sum();
    let pass =
        |chunk: &'a Chunk<T, N>| Pass { x: &chunk.x[..chunk.labels.len() * inputs], tape: &chunk.tape };
    (chunks.iter().map(pass).collect(), T::of(1.0 / samples as f64))
}
