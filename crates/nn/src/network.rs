//! What every network offers: a forward pass, and the vector-Jacobian product of each of its parts.

use crate::Layout;
use tensor::Float;

/// The sizes that rules and audits need to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Features of an input.
    pub inputs: usize,
    /// Features of a hidden state.
    pub width: usize,
    /// Number of blocks, L.
    pub blocks: usize,
    /// Number of classes.
    pub classes: usize,
}

/// Where parameter gradients go: the whole flat vector, and a factor (1 / batch size, for a mean).
#[derive(Debug)]
pub struct Gradient<'a, T> {
    /// As long as the network's layout; only the part that is asked for is overwritten.
    pub into: &'a mut [T],
    /// Multiplies what is written.
    pub scale: T,
}

/// What a forward pass leaves behind for the rules: states, branches and logits, sample after sample.
pub trait Tape<T>: Send {
    /// Number of samples in the last forward pass.
    fn rows(&self) -> usize;
    /// Hidden state h_l, l = 0…L.
    fn hidden(&self, l: usize) -> &[T];
    /// Branch f_l(h_l), l = 0…L−1.
    fn branch(&self, l: usize) -> &[T];
    /// Logits.
    fn logits(&self) -> &[T];
}

/// A network of L residual blocks between an embedding and a head.
///
/// Parameters are a flat slice described by [`Network::layout`]; the tape is allocated once and used again. A
/// vector-Jacobian product takes any signal, not only the true gradient, and writes only what is asked for.
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

    /// Runs `rows` samples of `x` through the whole network.
    fn forward(&self, params: &[T], x: &[T], rows: usize, tape: &mut Self::Tape);

    /// Puts `rows` states of `h` in place of h_l and runs them through the rest of the network; what lies below l is left
    /// as it was.
    fn forward_from(&self, params: &[T], l: usize, h: &[T], rows: usize, tape: &mut Self::Tape);

    /// Head: from the signal at the logits to the gradients of head and last LayerNorm, and the signal at h_L.
    fn head_vjp(
        &self,
        params: &[T],
        tape: &mut Self::Tape,
        signal: &[T],
        gradient: Option<Gradient<'_, T>>,
        below: &mut [T],
    );

    /// Block l: from the signal at f_l(h_l) to the gradients of the block, and the signal at h_l *through the
    /// branch alone* (without the skip connection).
    fn branch_vjp(
        &self,
        params: &[T],
        block: usize,
        tape: &mut Self::Tape,
        signal: &[T],
        gradient: Option<Gradient<'_, T>>,
        below: Option<&mut [T]>,
    );

    /// Embedding: from the signal at h_0 to the gradients of the embedding.
    fn embed_vjp(&self, x: &[T], tape: &mut Self::Tape, signal: &[T], gradient: Gradient<'_, T>);
}
