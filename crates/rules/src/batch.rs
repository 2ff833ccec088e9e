//! What a rule can read: a batch after the forward pass.

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
    /// N, the divisor of a mean-reduced gradient: the size of the whole batch, of which this may be a chunk.
    pub samples: usize,
}

/// A whole batch, before its update.
pub struct Batch<'a, T: Float, N: Network<T>> {
    /// The step, counted from 1.
    pub t: u64,
    /// The optimiser's settings at that step.
    pub optimiser: AdamW,
    /// All samples in order, one chunk per thread.
    pub chunks: &'a [BatchView<'a, T, N>],
}
