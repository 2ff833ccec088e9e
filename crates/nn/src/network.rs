//! What every network computes: a forward pass, and the vector-Jacobian product of each of its parts.

use crate::{Architecture, Pass, Tape, init};
use std::ops::Range;
use tensor::{Float, GradientSink, softmax_cross_entropy};

/// A network of L residual blocks between an embedding and a head.
///
/// Parameters are a flat slice described by [`Architecture::layout`]; the tape is allocated once and reused. A
/// vector-Jacobian product takes any signal, not only the true gradient. Signals are propagated first, sample by sample;
/// parameter gradients are taken afterwards, over all samples.
pub trait Network<T: Float>: Architecture {
    /// Activations kept between the passes.
    type Tape: Tape<T>;

    /// Initial parameters for a seed.
    fn initial(&self, seed: u64) -> Vec<T> {
        init::initial(self.layout(), seed)
    }

    /// Buffers for at most `rows` samples.
    fn tape(&self, rows: usize) -> Self::Tape;

    /// h_0 from `rows` samples of `x`.
    fn embed(&self, params: &[T], x: &[T], rows: usize, tape: &mut Self::Tape);

    /// Branch and h_{l+1} from the tape's h_l.
    fn block(&self, params: &[T], l: usize, tape: &mut Self::Tape);

    /// The logits from the tape's h_L.
    fn head(&self, params: &[T], tape: &mut Self::Tape);

    /// Runs `rows` samples of `x` through the whole network.
    fn forward(&self, params: &[T], x: &[T], rows: usize, tape: &mut Self::Tape) {
        self.embed(params, x, rows, tape);
        (0..self.shape().blocks).for_each(|l| self.block(params, l, tape));
        self.head(params, tape);
    }

    /// Replaces h_l and runs the rest of the network; the tape below l is unchanged.
    fn forward_from(&self, params: &[T], l: usize, h: &[T], tape: &mut Self::Tape) {
        tape.place(l, h);
        (l..self.shape().blocks).for_each(|l| self.block(params, l, tape));
        self.head(params, tape);
    }

    /// Writes the loss of each sample, and its gradient at the logits onto the tape: cross-entropy and
    /// e_T = softmax(z) − onehot(y), unless the network has another loss.
    fn loss(&self, tape: &mut Self::Tape, labels: &[u8], losses: &mut [T]) {
        let (e, logits) = tape.error_mut();
        softmax_cross_entropy(logits, labels, e, losses);
    }

    /// Updates the parameters without a gradient (running means and variances) by the statistics of training passes.
    fn take_statistics(&self, _params: &mut [T], _passes: &[Pass<'_, T, Self::Tape>]) {}

    /// The signal at h_L from the tape's signal at the logits.
    fn head_vjp(&self, params: &[T], tape: &mut Self::Tape, below: &mut [T]);

    /// From the tape's signal at f_l(h_l): the signal at h_l *through the branch alone* (without the skip connection), if
    /// `below` is given, and whatever the block's gradient needs.
    fn branch_vjp(&self, params: &[T], block: usize, tape: &mut Self::Tape, below: Option<&mut [T]>);

    /// Gradient of Σ ⟨output, signal⟩ · `scale` over the samples of all passes, for a range of parameters (one or several
    /// adjacent [`Architecture::parameter_ranges`]), with the signals of the tapes. Its bytes do not depend on how the
    /// samples are split into passes.
    fn gradient(
        &self,
        passes: &[Pass<'_, T, Self::Tape>],
        scale: T,
        range: Range<usize>,
        sink: GradientSink<'_, T>,
    );
}
