//! The trait that every learning rule implements.

use crate::{Batch, BatchView, Given, RuleGradient, Saved};
use nn::Network;
use std::ops::Range;
use tensor::{AdamW, Float};

/// Where the credit of a rule comes from.
pub enum Credit<'a, T: Float, N: Network<T>> {
    /// It starts as p_L and goes down by the exact vector-Jacobian product.
    Exact,
    /// It starts as p_L and goes down by the vector-Jacobian product with these parameters in place of the network's.
    Through(&'a [T]),
    /// The rule gives it to all units at once.
    Given(&'a dyn Gives<T, N>),
}

/// A rule that gives every unit its credit.
pub trait Gives<T: Float, N: Network<T>>: Send + Sync {
    /// Fills in the credit, and whatever else is asked for, from one computation.
    fn give(&self, batch: &BatchView<'_, T, N>, given: Given<'_, T>);

    /// Whether credit goes to every position of a state, not only to those that feedback reaches.
    fn everywhere(&self) -> bool {
        false
    }

    /// Number of parameters of the rule's own whose gradient [`Gives::give`] takes. A rule that has some sees each batch whole, on
    /// one thread. Where the gradient is a sum over samples, take it in [`Rule::learn`] instead and keep the threads.
    fn own_parameters(&self) -> usize {
        0
    }
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
    /// The ranges of them that are trained.
    pub trained: &'a [Range<usize>],
    /// What [`Gives::give`] took from the batch, where the rule has parameters of its own.
    pub gradient: &'a RuleGradient<T>,
}

/// A learning rule: the credit of each unit.
///
/// Credit is raw: the learner normalises it ([`Normalise`](crate::Normalise)), adds the penalty where there is one, and hands it
/// to the block.
pub trait Rule<T: Float, N: Network<T>>: Send + Sync {
    /// Where credit comes from.
    fn credit(&self) -> Credit<'_, T, N>;

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
    fn redrawn(&self, _net: &N, _params: &[T], _seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        None
    }

    /// Called before each epoch with the share of the schedule that lies behind.
    fn begin_epoch(&mut self, _done: f64) {}

    /// Called once per step, before the network's update, with all samples of the batch: the place for a gradient that is a sum over
    /// samples. A [`tensor::product`] over the chunks in their order has the same bytes however many chunks there are.
    fn learn(&mut self, _batch: &Batch<'_, T, N>) {}

    /// Called once per step, after the network's update.
    fn after_step(&mut self, _step: &mut AfterStep<'_, T, N>) {}
}
