//! The one trait that every learning rule implements.

use crate::Saved;
use nn::Network;
use std::ops::Range;
use tensor::{AdamW, Float};

/// How credit comes down from one unit to the next.
#[derive(Clone, Copy, Debug)]
pub enum Transport<'a, T> {
    /// It starts as p_L and goes down by the exact vector-Jacobian product.
    Exact,
    /// It starts as p_L and goes down by the vector-Jacobian product with these parameters in place of the network's.
    Through(&'a [T]),
    /// [`Rule::credit`] gives it to all units at once.
    Own,
}

/// What a rule may look at: the forward pass of some samples and the exact signals at the top.
#[derive(Debug)]
pub struct Seen<'a, T: Float, N: Network<T>> {
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

/// What a rule with a net of its own takes from a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lesson<T> {
    /// The step under way, from 1, which places its random numbers.
    pub t: u64,
    /// The gradient of the rule's own parameters, as long as they are.
    pub gradient: Vec<T>,
    /// A number that the rule wants to keep from the batch.
    pub observed: f64,
}

/// What a rule gets to see after the network was updated.
#[derive(Debug)]
pub struct AfterStep<'a, T: Float, N: Network<T>> {
    /// The step just taken, from 1.
    pub t: u64,
    /// The optimiser's numbers at that step.
    pub optimiser: AdamW,
    /// The network.
    pub net: &'a N,
    /// Its parameters after the step, for a rule that does more to them.
    pub params: &'a mut [T],
    /// The stretches of them that are trained.
    pub trained: &'a [Range<usize>],
    /// What the rule took from the batch, where it has parameters of its own.
    pub lesson: &'a Lesson<T>,
}

/// A learning rule: the credit of each unit.
///
/// Credit is raw: the learner divides it by its root mean square unless [`Rule::normalised`] says no, adds the penalty where
/// there is one, and hands it to the block.
pub trait Rule<T: Float, N: Network<T>>: Send + Sync {
    /// Its name in recipes and tables.
    fn name(&self) -> &'static str;

    /// How credit comes down.
    fn transport(&self) -> Transport<'_, T> {
        Transport::Own
    }

    /// Whether credit is divided by its root mean square before it is used. True for every rule but `bp`.
    fn normalised(&self) -> bool {
        true
    }

    /// Whether credit goes to every position of a state, not only to those that feedback reaches.
    fn everywhere(&self) -> bool {
        !matches!(self.transport(), Transport::Own)
    }

    /// Writes the credit that acts at h_l into entry l: of the embedding for l = 0, of block l−1 above. All entries are
    /// zero before. In training there is a lesson to be taken along. Called for [`Transport::Own`] only.
    fn credit(&self, seen: &Seen<'_, T, N>, credit: &mut [Vec<T>], lesson: Option<&mut Lesson<T>>);

    /// What the source reports as the credit at h_l, in entry l, where that is not what [`Rule::credit`] gives to the block
    /// above it.
    fn credit_paper(&self, _seen: &Seen<'_, T, N>) -> Option<Vec<Vec<T>>> {
        None
    }

    /// Fixed or learned tensors of the rule, saved in every checkpoint.
    fn saved(&self) -> &[Saved<T>] {
        &[]
    }

    /// The same, to be restored from a checkpoint; [`Rule::refresh`] comes after.
    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut []
    }

    /// Called when saved tensors or the network's parameters were replaced.
    fn refresh(&mut self, _net: &N, _params: &[T]) {}

    /// The same rule with everything that is drawn at random in it drawn anew: a null. `None` where nothing is drawn.
    fn redrawn(&self, net: &N, params: &[T], seed: u64) -> Option<Box<dyn Rule<T, N>>>;

    /// Number of parameters of the rule's own that it trains by gradient; 0 for most. A rule that has some sees each batch
    /// whole, on one thread.
    fn own_parameters(&self) -> usize {
        0
    }

    /// Called before each epoch with the share of the schedule that lies behind.
    fn begin_epoch(&mut self, _done: f64) {}

    /// Called once a step, after the network's update.
    fn after_step(&mut self, _step: &mut AfterStep<'_, T, N>) {}

    /// What the rule can say about itself on these samples, by name, as means over them: for the log of each epoch.
    fn notes(&self, _seen: &Seen<'_, T, N>) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}
