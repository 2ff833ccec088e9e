//! The trait that every learning rule implements.

use crate::{Batch, BatchView, Given, RuleGradient, Saved};
use nn::Network;
use std::ops::Range;
use tensor::{AdamW, Float};

/// The source of a rule's credit.
pub enum Credit<'a, T: Float, N: Network<T>> {
    /// It starts as p_L and is carried down by the exact vector-Jacobian product.
    Exact,
    /// It starts as p_L and is carried down by the vector-Jacobian product with these parameters in place of the network's.
    Through(&'a [T]),
    /// The rule computes it for all units at once.
    Given(&'a dyn Gives<T, N>),
}

/// A rule that computes the credit of every unit.
pub trait Gives<T: Float, N: Network<T>>: Send + Sync {
    /// Fills in the credit and everything else requested, in one computation.
    fn give(&self, batch: &BatchView<'_, T, N>, given: Given<'_, T>);

    /// Whether credit goes to every position of a state, not only to the positions that receive feedback.
    fn everywhere(&self) -> bool {
        false
    }

    /// Number of the rule's own parameters whose gradient [`Gives::give`] computes. A rule that has some gets each batch whole,
    /// on one thread. If the gradient is a sum over samples, compute it in [`Rule::learn`] instead and keep the threads.
    fn own_parameters(&self) -> usize {
        0
    }

    /// Whether credit contains noise drawn anew for each sample and step. The noise is placed by the sample's position in the
    /// batch, which a chunk does not know, so such a rule gets each batch whole.
    fn draws_anew(&self) -> bool {
        false
    }

    /// Whether it gets each batch whole, on one thread.
    fn whole_batch(&self) -> bool {
        self.own_parameters() > 0 || self.draws_anew()
    }
}

impl<T: Float, N: Network<T>> Credit<'_, T, N> {
    /// Whether credit goes to every position of a state.
    pub fn everywhere(&self) -> bool {
        match self {
            Self::Exact | Self::Through(_) => true,
            Self::Given(rule) => rule.everywhere(),
        }
    }
}

/// What a rule gets after the network's update.
#[derive(Debug)]
pub struct AfterStep<'a, T: Float, N: Network<T>> {
    /// The step just taken, counted from 1.
    pub t: u64,
    /// The optimiser's settings at that step.
    pub optimiser: AdamW,
    /// The network.
    pub net: &'a N,
    /// Its parameters after the step, which the rule may change further.
    pub params: &'a mut [T],
    /// The ranges of the parameters that are trained.
    pub trained: &'a [Range<usize>],
    /// The gradient that [`Gives::give`] computed, if the rule has its own parameters.
    pub gradient: &'a RuleGradient<T>,
}

/// A learning rule: the credit of each unit.
///
/// Credit is raw: the learner normalises it ([`Normalise`](crate::Normalise)), adds the penalty where there is one, and hands it
/// to the block.
pub trait Rule<T: Float, N: Network<T>>: Send + Sync {
    /// The source of the credit.
    fn credit(&self) -> Credit<'_, T, N>;

    /// Fixed or learned tensors of the rule, saved in every checkpoint.
    fn saved(&self) -> &[Saved<T>] {
        &[]
    }

    /// The same tensors, to be restored from a checkpoint; then [`Rule::refresh`] is called.
    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut []
    }

    /// Called after saved tensors or the network's parameters were replaced.
    fn refresh(&mut self, _net: &N, _params: &[T]) {}

    /// The same rule with all its random numbers drawn again: a null. `None` if nothing in it is random.
    fn redrawn(&self, _net: &N, _params: &[T], _seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        None
    }

    /// The same rule with the noise of another batch: not a null, because its mean over draws is what the rule teaches. `None` if
    /// it draws nothing anew ([`Gives::draws_anew`]).
    fn fresh_draw(&self, _draw: u64) -> Option<Box<dyn Rule<T, N>>> {
        None
    }

    /// Called before each epoch with the completed share of the schedule.
    fn begin_epoch(&mut self, _done: f64) {}

    /// Called once per step, before the network's update, with all samples of the batch. A gradient that is a sum over samples
    /// is computed here. A [`tensor::product`] over the chunks in order gives the same bytes for any number of chunks.
    fn learn(&mut self, _batch: &Batch<'_, T, N>) {}

    /// Called once per step, after the network's update.
    fn after_step(&mut self, _step: &mut AfterStep<'_, T, N>) {}

    /// What went wrong in a rule that computes its credit outside of this program; its credit is zero from then on.
    fn fault(&self) -> Option<String> {
        None
    }
}
