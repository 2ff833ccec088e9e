//! States, gradients and credits of one chunk of samples: gradients in f64, credit as in f32 training.

use super::credit_sums::StateChunk;
use super::null_draws::NullDraws;
use super::{Samples, Training};
use nn::{Network, State, Tape};
use rules::{Chunk, Learner, Rule, credits, signals};
use std::ops::Range;

/// Most samples in a chunk.
const ROWS: usize = 32;
/// Most numbers of one kind in a chunk: states with positions can be very wide.
const NUMBERS: usize = 1 << 26;

/// Samples per chunk, if each takes this many numbers.
pub(super) fn rows(numbers: usize) -> usize {
    (NUMBERS / numbers.max(1)).clamp(1, ROWS)
}

/// Buffers that every chunk reuses.
pub(super) struct SignalBuffers<'a, N: Network<f32> + Network<f64>> {
    trained: &'a Learner<f32, N>,
    exact: &'a Learner<f64, N>,
    states: &'a [State],
    single: Chunk<f32, N>,
    double: Chunk<f64, N>,
    training: Training,
}

/// The signals of one chunk. States are whole; everything else is cut to what feedback reaches, which is measured.
pub(super) struct Signals {
    /// h_0 … h_L.
    pub(super) h: Vec<Vec<f64>>,
    /// p_0 … p_L.
    pub(super) p: Vec<Vec<f64>>,
    /// p_0 … p_L computed in f32.
    pub(super) p32: Vec<Vec<f32>>,
    /// For each credit (the measured one first, then the nulls), by unit.
    pub(super) credits: Vec<Vec<Vec<f32>>>,
    /// What the paper reports as credit, by layer, if that differs.
    pub(super) paper: Option<Vec<Vec<f32>>>,
    /// Outputs in f64; empty if the network is elsewhere.
    pub(super) logits: Vec<f64>,
    /// e_T.
    pub(super) error: Vec<f64>,
    /// Gradient of the chunk's mean loss, in f64, by parameter; empty if no step is measured.
    pub(super) parameters: Vec<f64>,
}

impl Signals {
    /// The chunk, whose first sample is `start`, at layer l.
    pub(super) fn at<'a, Label>(
        &'a self,
        l: usize,
        states: &[State],
        start: usize,
        labels: &'a [Label],
    ) -> StateChunk<'a, Label> {
        let reach = states[l].reached_features();
        StateChunk { start, layer: l, labels, h: &self.h[l], p: &self.p[l], reach }
    }
}

impl<'a, N: Network<f32> + Network<f64>> SignalBuffers<'a, N> {
    pub(super) fn new(
        trained: &'a Learner<f32, N>,
        exact: &'a Learner<f64, N>,
        states: &'a [State],
        rows: usize,
        training: Training,
    ) -> Self {
        let single = trained.chunk(rows);
        let double = exact.chunk(rows);
        Self { trained, exact, states, single, double, training }
    }

    /// p_0 … p_L of these samples, whole.
    pub(super) fn gradients(&mut self, part: Samples<'_>) -> Vec<Vec<f64>> {
        self.single.labels = part.labels.to_vec();
        self.single.x[..part.x.len()].copy_from_slice(part.x);
        self.double.labels = part.labels.to_vec();
        self.double.x.iter_mut().zip(part.x).for_each(|(wide, &x)| *wide = f64::from(x));
        signals(self.exact, &mut self.double, self.training.batch).p
    }

    /// Runs the same samples forward in f32, which credit needs.
    pub(super) fn forward(&mut self) {
        self.trained.forward(&mut self.single);
    }

    /// The credit that a rule would give them with these labels, whole.
    pub(super) fn credit(&mut self, rule: &dyn Rule<f32, N>, labels: &[u8]) -> Vec<Vec<f32>> {
        credits(rule, self.trained, &mut self.single, labels, self.training.batch)
    }

    pub(super) fn signals(
        &mut self,
        part: Samples<'_>,
        nulls: &NullDraws<N>,
        range: Range<usize>,
    ) -> Signals {
        let p = self.gradients(part);
        let parameters = self.training.lr.map(|_| self.exact.true_gradient(&mut self.double, &p));
        let h = (0..p.len()).map(|l| self.double.tape().hidden(l).to_vec()).collect();
        let used = signals(self.trained, &mut self.single, self.training.batch);
        let paper = used.report.at_input;
        let mut all = vec![measured(used.credit, self.states)];
        for (rule, labels) in nulls.draws(&*self.trained.rule, part.labels, range) {
            let drawn = self.credit(rule, labels);
            all.push(measured(drawn, self.states));
        }
        Signals {
            h,
            p: measured(p, self.states),
            p32: measured(used.p, self.states),
            credits: all,
            paper: paper.map(|paper| measured(paper, self.states)),
            logits: self.double.tape().logits().to_vec(),
            error: self.double.error().to_vec(),
            parameters: parameters.unwrap_or_default(),
        }
    }
}

/// The measured part of signals at h_0 … h_L.
fn measured<T: Copy>(layers: Vec<Vec<T>>, states: &[State]) -> Vec<Vec<T>> {
    let reached = |(rows, state): (Vec<T>, &State)| {
        let whole = state.reached_features() == state.width();
        if whole { rows } else { state.reached_part(&rows).into_owned() }
    };
    layers.into_iter().zip(states).map(reached).collect()
}
