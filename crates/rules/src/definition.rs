//! A rule's entry in the table. Each rule's own file defines it.

use crate::normalise::NORMALISE;
use crate::{Formula, Rule, RuleKey, RuleSpec};
use nn::Network;
use tensor::Float;

/// Everything about a rule except the code of its credit: its equation, its keys, what it can train, what it saves, its cost, how to build it.
pub(crate) struct Definition<T: Float, N: Network<T>> {
    /// Its credit as an equation, line by line.
    pub(crate) equation: &'static str,
    /// What the symbols are and where the rule comes from, in a sentence or two.
    pub(crate) about: &'static str,
    /// Keys in recipes.
    pub(crate) keys: &'static [RuleKey],
    /// The formula of its credit; `None` if no audit can recompute it.
    pub(crate) formula: fn(&RuleSpec) -> Option<Formula>,
    /// Why it cannot train a network, if so.
    pub(crate) unfit: fn(&N) -> Option<&'static str>,
    /// Number of values in its own tensors.
    pub(crate) saved_values: fn(&RuleSpec, &N) -> usize,
    /// Multiply-adds per sample and step on top of the network's own, given the forward cost of the blocks.
    pub(crate) work: fn(&RuleSpec, &N, f64) -> f64,
    /// Whether its credit contains noise that is drawn anew for each batch.
    pub(crate) draws_anew: bool,
    /// Builds the rule for a network with these parameters; its random numbers come from the seed.
    pub(crate) build: Build<T, N>,
}

type Build<T, N> = fn(&RuleSpec, &N, &[T], u64) -> Box<dyn Rule<T, N>>;

impl<T: Float, N: Network<T>> Definition<T, N> {
    /// A rule without keys, tensors or extra work, which can train every network.
    pub(crate) const fn new(equation: &'static str, about: &'static str, build: Build<T, N>) -> Self {
        Self {
            equation,
            about,
            keys: &[NORMALISE],
            formula: |_| None,
            unfit: |_| None,
            saved_values: |_, _| 0,
            work: |_, _, _| 0.0,
            draws_anew: false,
            build,
        }
    }
}
