//! What the table says of a rule. Each rule's own file defines it.

use crate::normalise::NORMALISE;
use crate::{Formula, Rule, RuleKey, RuleSpec};
use nn::Network;
use tensor::Float;

/// A rule apart from its credit: its keys, what it can train, what it saves, the work it takes, how it is built.
pub(crate) struct Definition<T: Float, N: Network<T>> {
    /// Keys of recipes.
    pub(crate) keys: &'static [RuleKey],
    /// The formula of its credit; none where no audit can recompute it.
    pub(crate) formula: fn(&RuleSpec) -> Option<Formula>,
    /// Why it cannot train a network.
    pub(crate) unfit: fn(&N) -> Option<&'static str>,
    /// How many values its own tensors hold.
    pub(crate) saved_values: fn(&RuleSpec, &N) -> usize,
    /// Multiply-adds per sample and step beyond those of the network, whose blocks take so many of them forward.
    pub(crate) work: fn(&RuleSpec, &N, f64) -> f64,
    /// The rule for a network with these parameters, what is random in it drawn from the seed.
    pub(crate) build: Build<T, N>,
}

type Build<T, N> = fn(&RuleSpec, &N, &[T], u64) -> Box<dyn Rule<T, N>>;

impl<T: Float, N: Network<T>> Definition<T, N> {
    /// A rule without keys, without tensors and without work of its own, which can train every network.
    pub(crate) const fn new(build: Build<T, N>) -> Self {
        Self {
            keys: &[NORMALISE],
            formula: |_| None,
            unfit: |_| None,
            saved_values: |_, _| 0,
            work: |_, _, _| 0.0,
            build,
        }
    }
}
