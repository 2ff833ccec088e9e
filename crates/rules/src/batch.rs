//! What a rule may look at: a batch as the forward pass has left it.

use nn::Network;
use tensor::{AdamW, Float};

/// The forward pass of some samples and the exact signals at the top.
#[derive(Debug)]
pub struct BatchView<'a, T: Float, N: Network<T>> {
    /// The network.
    pub net: &'a N,
    /// Its parameters.
    pub params: &'a [T],
    /// Inputs, sample after sample.
    pub x: &'a [T],
    /// Hidden states, branches and logits.
    pub tape: &'a N::Tape,
    /// The labels that training uses: the true ones, or those drawn at random.
    pub labels: &'a [u8],
    /// The loss of each sample.
    pub losses: &'a [T],
    /// e_T = softmax(z) − onehot(y), sample after sample.
    pub e: &'a [T],
    /// p_L: the gradient of each sample's own loss at its h_L.
    pub p_last: &'a [T],
    /// N, over which a mean-reduced gradient is taken: the whole batch, of which this may be a chunk.
    pub samples: usize,
}

/// A whole batch before the step that it leads to.
pub struct Batch<'a, T: Float, N: Network<T>> {
    /// The step, from 1.
    pub t: u64,
    /// The optimiser's numbers at that step.
    pub optimiser: AdamW,
    /// All samples in their order, in as many chunks as there are threads.
    pub chunks: &'a [BatchView<'a, T, N>],
}
