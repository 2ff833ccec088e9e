//! The one trait that every learning rule implements.

use crate::Saved;
use nn::{Layout, Network};
use tensor::{AdamW, Float};

/// How credit comes down from one unit to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// By the exact vector-Jacobian product.
    Exact,
    /// By [`Rule::below`].
    Own,
}

/// What a rule may look at: the forward pass of some samples and the exact signals at the top.
#[derive(Debug)]
pub struct Seen<'a, T: Float, N: Network<T>> {
    /// The network.
    pub net: &'a N,
    /// Its parameters.
    pub params: &'a [T],
    /// Hidden states, branches and logits.
    pub tape: &'a N::Tape,
    /// The labels that training uses: the true ones, or those drawn at random.
    pub labels: &'a [u8],
    /// e_T = softmax(z) − onehot(y), sample after sample.
    pub e: &'a [T],
    /// p_L: the gradient of each sample's own loss at its h_L.
    pub p_last: &'a [T],
    /// N, over which a mean-reduced gradient is taken: the whole batch, of which this may be a chunk.
    pub samples: usize,
}

/// What a rule with parameters of its own gets to see after the network was updated.
#[derive(Debug)]
pub struct AfterStep<'a, T> {
    /// The step just taken, from 1.
    pub t: u64,
    /// The optimiser's numbers at that step.
    pub optimiser: AdamW,
    /// Where the network's parameters lie.
    pub layout: &'a Layout,
    /// The network's parameters after the step.
    pub params: &'a [T],
    /// The gradient of the rule's own parameters, one part a chunk, to be added in this order.
    pub own: &'a [&'a [T]],
}

/// A learning rule: the credit of each unit.
///
/// Credit is asked for from the top down. It is written raw; the learner divides it by its root mean square unless
/// [`Rule::normalised`] says no, adds the penalty where there is one, and hands it to the block.
pub trait Rule<T: Float, N: Network<T>>: Send + Sync {
    /// Its name in recipes and tables.
    fn name(&self) -> &'static str;

    /// How credit comes down.
    fn transport(&self) -> Transport {
        Transport::Own
    }

    /// Whether credit is divided by its root mean square before it is used. True for every rule but `bp`.
    fn normalised(&self) -> bool {
        true
    }

    /// Writes the credit of the topmost unit, which acts at h_L.
    fn top(&self, seen: &Seen<'_, T, N>, credit: &mut [T]);

    /// Writes the credit that acts at h_l (of block l−1, or of the embedding where l = 0), given that of block l.
    /// Not called for [`Transport::Exact`].
    fn below(&self, l: usize, seen: &Seen<'_, T, N>, above: &[T], credit: &mut [T]);

    /// Fixed or learned tensors of the rule, saved in every checkpoint.
    fn saved(&self) -> &[Saved<T>] {
        &[]
    }

    /// The same, to be restored from a checkpoint.
    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut []
    }

    /// Number of parameters of the rule's own that it trains by gradient; 0 for most. A rule that has some sees each batch
    /// whole, on one thread.
    fn own_parameters(&self) -> usize {
        0
    }

    /// Writes this chunk's share of the gradient of the rule's own parameters.
    fn own_gradient(&self, _seen: &Seen<'_, T, N>, _gradient: &mut [T]) {}

    /// Called once a step, after the network's update.
    fn after_step(&mut self, _step: &AfterStep<'_, T>) {}
}
