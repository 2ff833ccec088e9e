//! From the signals on the tapes to gradients, and the update.

use super::{Chunk, Learner};
use crate::parameter_shares::{Flat, Piece, share_out};
use crate::{AfterStep, Batch, BatchView, Signals};
use nn::{Network, Pass, Tape};
use tensor::{AdamW, Float, GradientSink};

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
        [(&seen.credit, true), (&seen.p, false)].map(|(signals, is_credit)| {
            for (l, signal) in signals.iter().enumerate() {
                if is_credit {
                    self.unpenalised(signal, l, &mut chunk.tape);
                } else {
                    chunk.tape.signal_mut(l).0.copy_from_slice(signal);
                }
                if let Some(block) = l.checked_sub(1) {
                    self.net.branch_vjp(&self.params, block, &mut chunk.tape, None);
                }
            }
            self.gradient(std::slice::from_ref(chunk))
        })
    }

    /// Optimiser step `t` (counted from 1) along the gradient of a batch, given all its chunks, on this number of threads. Each
    /// thread updates its own parameters, so the result does not depend on the number of threads. The gradient of a norm is
    /// derived from the weights that follow it, so parameters must not change between [`Learner::learn`] and this call.
    pub fn descend(&mut self, t: u64, optimiser: AdamW, chunks: &[Chunk<T, N>], threads: usize) {
        self.teach(t, optimiser, chunks);
        let (passes, scale) = passes(chunks, self.net.shape().inputs);
        let passes = &passes[..];
        let net = &self.net;
        let work = |share: Vec<Piece<'_, T>>| {
            for (range, sink) in share {
                net.gradient(passes, scale, range, sink);
            }
        };
        let flat = Flat { params: &mut self.params, first: &mut self.first, second: &mut self.second };
        let shares = share_out(net.parameter_ranges(), &self.trained, threads);
        let mut shares = flat.cut(shares, optimiser.step(t)).into_iter();
        std::thread::scope(|scope| {
            let own = shares.next();
            for share in shares {
                scope.spawn(|| work(share));
            }
            own.into_iter().for_each(work);
        });
        net.take_statistics(&mut self.params, passes);
        if let Some(Chunk { gradient, .. }) = chunks.first() {
            let params = &mut self.params[..];
            let trained = &self.trained[..];
            self.rule.after_step(&mut AfterStep { t, optimiser, net, params, trained, gradient });
        }
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
