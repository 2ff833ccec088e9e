//! What every network offers: a forward pass, and the vector-Jacobian product of each of its parts.

use crate::Layout;
use std::ops::Range;
use tensor::{Float, GradientSink, softmax_cross_entropy};

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Features of an input.
    pub inputs: usize,
    /// The width d that recipes name: features of a hidden state, of a token, or of the first stage's positions.
    pub width: usize,
    /// Number of blocks, L.
    pub blocks: usize,
    /// Number of classes.
    pub classes: usize,
}

/// What a hidden state of one sample consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Rows: 1 in a perceptron, the tokens of a transformer, the pixels of a convolutional network.
    pub positions: usize,
    /// Features of each.
    pub features: usize,
    /// Leading positions that feedback reaches and measurements read: the class token, else all.
    pub reached: usize,
}

impl State {
    /// A state without positions.
    pub fn flat(features: usize) -> Self {
        Self { positions: 1, features, reached: 1 }
    }

    /// Values of a sample's state.
    pub fn width(&self) -> usize {
        self.positions * self.features
    }

    /// Values of it that feedback reaches, the first ones.
    pub fn reach(&self) -> usize {
        self.reached * self.features
    }
}

/// What a forward pass leaves behind for the rules, and what a rule leaves for the gradients: states, branches and logits,
/// and the signal that each unit descends, sample after sample.
pub trait Tape<T>: Send + Sync {
    /// Number of samples in the last forward pass.
    fn rows(&self) -> usize;
    /// Puts states in place of h_l; their number becomes that of the samples.
    fn place(&mut self, l: usize, h: &[T]);
    /// Whether the passes to come are for training. It makes a difference only where training normalises over the batch.
    fn set_training(&mut self, _training: bool) {}
    /// Hidden state h_l, l = 0…L.
    fn hidden(&self, l: usize) -> &[T];
    /// Branch f_l(h_l), l = 0…L−1.
    fn branch(&self, l: usize) -> &[T];
    /// Logits.
    fn logits(&self) -> &[T];
    /// Where the signal that unit l descends belongs (0 is the embedding, l+1 block l), and the unit's output beside it:
    /// h_0, or the branch.
    fn signal_mut(&mut self, l: usize) -> (&mut [T], &[T]);
    /// The signal at the logits.
    fn error(&self) -> &[T];
    /// Where that belongs, and the logits beside it.
    fn error_mut(&mut self) -> (&mut [T], &[T]);
}

/// Some samples of a batch: their inputs, and the tape of their passes.
#[derive(Debug)]
pub struct Pass<'a, T, K> {
    /// Inputs, row by row.
    pub x: &'a [T],
    /// The tape.
    pub tape: &'a K,
}

/// A network of L residual blocks between an embedding and a head.
///
/// Parameters are a flat slice described by [`Network::layout`]; the tape is allocated once and used again. A
/// vector-Jacobian product takes any signal, not only the true gradient. Signals go down first, sample by sample;
/// gradients of the parameters are taken afterwards, over all samples.
pub trait Network<T: Float>: Send + Sync {
    /// Activations kept between the passes.
    type Tape: Tape<T>;

    /// The sizes.
    fn shape(&self) -> Shape;

    /// Names, shapes and places of the parameters.
    fn layout(&self) -> &Layout;

    /// Initial parameters for a seed.
    fn initial(&self, seed: u64) -> Vec<T>;

    /// Buffers for at most `rows` samples.
    fn tape(&self, rows: usize) -> Self::Tape;

    /// Whether block l adds its branch to its input (h_{l+1} = h_l + f_l) or replaces it (h_{l+1} = f_l).
    fn skip(&self, block: usize) -> bool;

    /// What h_l consists of, l = 0…L.
    fn state(&self, l: usize) -> State;

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

    /// Puts states in place of h_l and runs them through the rest of the network; what lies below l is left as it was.
    fn forward_from(&self, params: &[T], l: usize, h: &[T], tape: &mut Self::Tape) {
        tape.place(l, h);
        (l..self.shape().blocks).for_each(|l| self.block(params, l, tape));
        self.head(params, tape);
    }

    /// Loss of each sample, and what the loss does at its logits, which the tape takes: cross-entropy and e_T = softmax(z) − onehot(y),
    /// unless the network has another end.
    fn judge(&self, tape: &mut Self::Tape, labels: &[u8], losses: &mut [T]) {
        let (e, logits) = tape.error_mut();
        softmax_cross_entropy(logits, labels, e, losses);
    }

    /// Whether samples have labels that the logits are to hit.
    fn classifies(&self) -> bool {
        true
    }

    /// Whether a training pass of one sample depends on the others of its batch.
    fn couples_samples(&self) -> bool {
        false
    }

    /// Takes what training passes have found about the data into the parameters that no gradient reaches.
    fn take_statistics(&self, _params: &mut [T], _passes: &[Pass<'_, T, Self::Tape>]) {}

    /// Head: from the tape's signal at the logits to the signal at h_L.
    fn head_vjp(&self, params: &[T], tape: &mut Self::Tape, below: &mut [T]);

    /// Block l: from the tape's signal at f_l(h_l) to the signal at h_l *through the branch alone* (without the skip
    /// connection), where that is wanted, and to what the block's gradient needs.
    fn branch_vjp(&self, params: &[T], block: usize, tape: &mut Self::Tape, below: Option<&mut [T]>);

    /// Stretches of the parameters, in memory order and together all that gradients reach, whose gradients can be had one without the
    /// other, and none of which reaches beyond a unit; with the work that each takes.
    fn stretches(&self) -> Vec<(Range<usize>, f64)>;

    /// Gradient of Σ ⟨output, signal⟩ · `scale` over the samples of all passes, for a stretch of parameters (one or several
    /// neighbours of [`Network::stretches`]), by the signals that lie on the tapes. Its bytes do not depend on how samples
    /// are spread over passes.
    fn gradient(
        &self,
        passes: &[Pass<'_, T, Self::Tape>],
        scale: T,
        stretch: Range<usize>,
        sink: GradientSink<'_, T>,
    );
}
