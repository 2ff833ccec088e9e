//! The nulls of a network and its rule: fresh feedback and permuted labels.

use super::streams::{FEEDBACK, LABELS};
use nn::Network;
use record::audit::{NullKind, Settings};
use rules::{Learner, Rule};
use std::ops::Range;
use tensor::random::{Purpose, Stream};

/// The random replacements of a measured credit, drawn once for the whole audit.
pub(super) struct NullDraws<N> {
    /// The same rule with other feedback, or with its net initialised again; empty if nothing in the rule is random.
    fresh: Vec<Box<dyn Rule<f32, N>>>,
    /// Labels of all samples, permuted.
    permuted: Vec<Vec<u8>>,
}

impl<N: Network<f32>> NullDraws<N> {
    pub(super) fn new(learner: &Learner<f32, N>, labels: &[u8], settings: &Settings) -> Self {
        let stream = |major: u64, draw: u64| Stream::at(settings.seed, Purpose::Audit, major, draw);
        let fresh = |draw: u64| {
            let seed = stream(FEEDBACK, draw).below(u64::MAX);
            learner.rule.redrawn(&learner.net, &learner.params, seed)
        };
        let permuted = |draw: u64| {
            let mut labels = labels.to_vec();
            stream(LABELS, draw).shuffle(&mut labels);
            labels
        };
        Self {
            fresh: (0..settings.draws).filter_map(fresh).collect(),
            permuted: (0..settings.draws).map(permuted).collect(),
        }
    }

    /// Number of credits: the measured one and every draw.
    pub(super) fn credits(&self) -> usize {
        1 + self.fresh.len() + self.permuted.len()
    }

    /// The kinds that were drawn, each with its range among the credits.
    pub(super) fn kinds(&self) -> [(NullKind, Range<usize>); 2] {
        let fresh = 1 + self.fresh.len();
        [(NullKind::FreshFeedback, 1..fresh), (NullKind::PermutedLabels, fresh..self.credits())]
    }

    /// Rule and labels of each null, for the samples of a range.
    pub(super) fn draws<'a>(
        &'a self,
        rule: &'a dyn Rule<f32, N>,
        labels: &'a [u8],
        range: Range<usize>,
    ) -> impl Iterator<Item = (&'a dyn Rule<f32, N>, &'a [u8])> {
        let fresh = self.fresh.iter().map(move |rule| (&**rule, labels));
        fresh.chain(self.permuted.iter().map(move |all| (rule, &all[range.clone()])))
    }
}
