//! The perturbation of one hidden state, done once for all credits compared there: steps along random directions, the true
//! gradient's own ρ and nudges, and the nudges of every credit.

use super::credit_sums::{CreditSums, StateChunk};
use super::streams::DIRECTIONS;
use crate::measurements::{
    Correlation, Directions, Downstream, Moves, NudgeMean, Step, Unmoved, choose_step, predictions,
    unit_directions,
};
use record::audit::Settings;
use std::ops::Range;
use tensor::random::{Purpose, Stream};

/// Samples for choosing the step length.
const TRIAL_SAMPLES: usize = 16;
/// Directions per sample.
const TRIAL_DIRECTIONS: usize = 8;
/// What a step longer by an eighth may change beyond an eighth, as a share: five times as much, at most, is of higher order.
const PROPORTIONAL: f64 = 2e-6;

/// The step length of a hidden state, and the reference: ρ and nudges of the true gradient.
#[derive(Clone, Debug, Default)]
pub(crate) struct Perturbation {
    pub(crate) step: Option<Step>,
    pub(crate) correlation: Correlation,
    pub(crate) nudges: Vec<NudgeMean>,
}

impl Perturbation {
    /// Asks for the moves along the directions, and for those against the gradient.
    fn ask<'a, Label: Copy>(
        &mut self,
        chunk: &StateChunk<'a, Label>,
        losses: &[f64],
        directions: Directions<'a>,
        rest: &mut dyn Downstream<Label>,
        settings: &Settings,
        moves: &mut Moves<'a>,
    ) {
        self.nudges.resize(settings.etas.len(), NudgeMean::default());
        for (nudge, &eta) in self.nudges.iter_mut().zip(&settings.etas) {
            nudge.ask(chunk.p, chunk.labels.len(), eta, moves);
        }
        if !directions.vectors.is_empty() {
            let step = *self.step.get_or_insert_with(|| trial(chunk, losses, directions, rest, settings));
            moves.step(directions, chunk.labels.len(), step.length);
            moves.proportional = step.rounding <= PROPORTIONAL;
        }
    }

    /// Takes the changes of the loss; returns those along the directions, per unit of length.
    fn take(
        &mut self,
        p: &[f64],
        losses: &[f64],
        directions: Directions<'_>,
        steps: &[f64],
        nudges: &mut &[f64],
    ) -> Vec<f64> {
        for nudge in &mut self.nudges {
            nudge.take(next(nudges, losses.len()), losses);
        }
        let Some(step) = self.step else { return Vec::new() };
        // Step lengths differ between layers; per unit of length the predictions are comparable.
        let changes: Vec<f64> = steps.iter().map(|change| change / step.length).collect();
        let predicted = predictions(&[p], directions, losses.len());
        predicted.iter().zip(&changes).for_each(|(&x, &change)| self.correlation.add(x, change));
        changes
    }

    /// Adds a chunk whose loss changes, per unit of length, were measured elsewhere.
    pub(crate) fn given(&mut self, p: &[f64], directions: Directions<'_>, changes: &[f64], samples: usize) {
        self.step = Some(Step { length: 0.0, enlarged: false, rounding: 0.0 });
        let predicted = predictions(&[p], directions, samples);
        predicted.iter().zip(changes).for_each(|(&x, &change)| self.correlation.add(x, change));
    }
}

/// Moves the states of a chunk along the directions, against the gradient and against every credit, all in one walk, and adds
/// what the losses do to the sums of the perturbation and of each credit with its nulls.
pub(crate) fn move_states<'a, Label: Copy>(
    perturbation: &mut Perturbation,
    compared: &mut [(&mut CreditSums, &'a [&'a [f64]])],
    chunk: &StateChunk<'a, Label>,
    directions: Directions<'a>,
    rest: &mut dyn Downstream<Label>,
    settings: &Settings,
) {
    let &StateChunk { layer, labels, h, p, .. } = chunk;
    let losses = rest.unmoved(layer, h, labels);
    let mut moves = Moves::default();
    perturbation.ask(chunk, &losses, directions, rest, settings, &mut moves);
    for (sums, credits) in compared.iter_mut() {
        sums.compare(chunk, credits);
        sums.ask(chunk, credits, settings, &mut moves);
    }
    let changes = rest.changes(&Unmoved { layer, h, labels, losses: &losses }, &moves);
    let mut nudges = &changes.nudges[..];
    let changes = perturbation.take(p, &losses, directions, &changes.steps, &mut nudges);
    for (sums, credits) in compared.iter_mut() {
        sums.correlate(credits, directions, &changes, labels.len());
        sums.take(chunk, credits.len(), &losses, &mut nudges, settings);
    }
}

/// The next changes, in the order in which they were asked for.
pub(super) fn next<'a>(changes: &mut &'a [f64], count: usize) -> &'a [f64] {
    let (next, rest) = changes.split_at(count);
    *changes = rest;
    next
}

/// Chooses the step length by the first few samples and directions.
fn trial<Label: Copy>(
    chunk: &StateChunk<'_, Label>,
    losses: &[f64],
    directions: Directions<'_>,
    rest: &mut dyn Downstream<Label>,
    settings: &Settings,
) -> Step {
    let Directions { vectors, reach } = directions;
    let samples = chunk.labels.len();
    let each = directions.each(samples);
    let rows = TRIAL_SAMPLES.min(samples);
    let some = TRIAL_DIRECTIONS.min(each);
    let of_samples = vectors.chunks_exact(each * reach).take(rows);
    let few: Vec<f64> = of_samples.flat_map(|of_sample| &of_sample[..some * reach]).copied().collect();
    let few = Directions { vectors: &few, reach };
    let h = &chunk.h[..rows * (chunk.h.len() / samples)];
    let unmoved = Unmoved { layer: chunk.layer, h, labels: &chunk.labels[..rows], losses: &losses[..rows] };
    choose_step(rest, &unmoved, few, settings.step)
}

/// Unit vectors for the samples of a range, from the same position of the stream for every layer, so that layers of the
/// same size share them.
pub(crate) fn directions(reach: usize, range: Range<usize>, settings: &Settings) -> Vec<f64> {
    let of_sample = |sample: usize| {
        let mut stream = Stream::at(settings.seed, Purpose::Audit, DIRECTIONS, sample as u64);
        unit_directions(&mut stream, settings.directions as usize, reach)
    };
    range.flat_map(of_sample).collect()
}
