//! Some samples of a batch, with every buffer that a step on them needs.

use super::Learner;
use crate::{BatchView, Credit, Normalise, RuleGradient};
use nn::{Network, Tape};
use tensor::Float;

/// Samples of one chunk of a batch and every buffer that a step on them needs.
pub struct Chunk<T: Float, N: Network<T>> {
    /// Inputs, row by row; the first `labels.len()` rows count.
    pub x: Vec<T>,
    /// Labels.
    pub labels: Vec<u8>,
    /// If set, [`Learner::learn`] stores the raw credit that it used here: embedding, block 0 and so on. An audit compares it
    /// with weights and feedback.
    pub used: Option<Vec<Vec<T>>>,
    pub(crate) tape: N::Tape,
    pub(crate) losses: Vec<T>,
    pub(super) p_last: Vec<T>,
    /// Credit of every unit. For credit that is transported block by block: that of the current unit and of the one below.
    pub(super) credit: Vec<Vec<T>>,
    pub(super) gradient: RuleGradient<T>,
}

impl<T: Float, N: Network<T>> Learner<T, N> {
    /// Buffers for chunks of at most `rows` samples.
    pub fn chunk(&self, rows: usize) -> Chunk<T, N> {
        let blocks = self.net.shape().blocks;
        let zeros = |n: usize| vec![T::ZERO; n];
        let width = |l: usize| rows * self.net.state(l).width();
        let widest = (0..=blocks).map(width).max().unwrap_or(0);
        let credit = match self.rule.credit() {
            Credit::Given(_) => (0..=blocks).map(|l| zeros(width(l))).collect(),
            Credit::Exact | Credit::Through(_) => vec![zeros(widest), zeros(widest)],
        };
        Chunk {
            x: zeros(rows * self.net.shape().inputs),
            labels: Vec::with_capacity(rows),
            used: None,
            tape: self.net.tape(rows),
            losses: zeros(rows),
            p_last: zeros(width(blocks)),
            credit,
            gradient: RuleGradient { values: zeros(self.own_parameters()), ..RuleGradient::default() },
        }
    }

    /// Number of the rule's own parameters whose gradient needs a whole batch.
    fn own_parameters(&self) -> usize {
        match self.rule.credit() {
            Credit::Given(rule) => rule.own_parameters(),
            Credit::Exact | Credit::Through(_) => 0,
        }
    }

    /// Into how many chunks a batch is best cut for so many threads. A rule that asks for the whole batch gets one, and so does
    /// whatever is normalised over the batch, states or credit.
    pub fn chunks_for(&self, threads: usize) -> usize {
        let coupled = self.net.couples_samples() || self.normalise == Normalise::Batch;
        let whole = matches!(self.rule.credit(), Credit::Given(rule) if rule.whole_batch());
        if whole || coupled { 1 } else { threads.max(1) }
    }
}

impl<T: Float, N: Network<T>> Chunk<T, N> {
    /// Hidden states, branches and logits of the last forward pass.
    pub fn tape(&self) -> &N::Tape {
        &self.tape
    }

    /// e_T of the last forward pass.
    pub fn error(&self) -> &[T] {
        self.tape.error()
    }

    /// The rule's view of the chunk, given p_L and the size of the whole batch.
    pub(crate) fn view<'a>(
        &'a self,
        net: &'a N,
        params: &'a [T],
        p_last: &'a [T],
        samples: usize,
    ) -> BatchView<'a, T, N> {
        let rows = self.labels.len();
        BatchView {
            net,
            params,
            x: &self.x[..rows * net.shape().inputs],
            tape: &self.tape,
            labels: &self.labels,
            losses: &self.losses[..rows],
            e: self.tape.error(),
            p_last,
            samples,
        }
    }
}
