//! The perturbation of one hidden state, done once for all credits compared there: steps along random directions, and the
//! true gradient's own ρ and nudges.

use super::credit_sums::StateChunk;
use super::streams::DIRECTIONS;
use crate::measurements::{
    Correlation, Directions, Downstream, Move, NudgeMean, Step, Unmoved, choose_step, loss_changes,
    nudge_all, predictions, unit_directions,
};
use record::audit::Settings;
use std::ops::Range;
use tensor::random::{Purpose, Stream};

/// Samples for choosing the step length.
const TRIAL_SAMPLES: usize = 16;
/// Directions per sample.
const TRIAL_DIRECTIONS: usize = 8;

/// The step length of a hidden state, and the reference: ρ and nudges of the true gradient.
#[derive(Clone, Debug, Default)]
pub(crate) struct Perturbation {
    pub(crate) step: Option<Step>,
    pub(crate) correlation: Correlation,
    pub(crate) nudges: Vec<NudgeMean>,
}

/// One perturbed chunk of states, for all credits.
pub(crate) struct Perturbed<'a> {
    /// Losses of the unmoved states.
    pub(crate) losses: Vec<f64>,
    /// Directions of the moves.
    pub(crate) directions: Directions<'a>,
    /// Changes of the loss per unit of length, by sample and direction.
    pub(crate) changes: Vec<f64>,
}

impl Perturbation {
    /// Moves a chunk's states, along the directions and against the gradient.
    pub(crate) fn add<'a, Label: Copy>(
        &mut self,
        chunk: &StateChunk<'_, Label>,
        directions: Directions<'a>,
        rest: &mut dyn Downstream<Label>,
        settings: &Settings,
    ) -> Perturbed<'a> {
        let &StateChunk { layer, labels, h, p, .. } = chunk;
        let mut losses = vec![0.0; labels.len()];
        rest.losses(layer, h, labels, &mut losses);
        self.nudges.resize(settings.etas.len(), NudgeMean::default());
        let unmoved = Unmoved { layer, h, labels, losses: &losses };
        let own = self.nudges.iter_mut().zip(&settings.etas);
        let mut own: Vec<_> = own.map(|(mean, &eta)| Move { mean, credit: p, eta }).collect();
        nudge_all(rest, &unmoved, &mut own);
        if directions.vectors.is_empty() {
            return Perturbed { losses, directions, changes: Vec::new() };
        }
        let step = *self.step.get_or_insert_with(|| trial(chunk, directions, rest, settings));
        let mut changes = loss_changes(rest, layer, h, labels, directions, step.length);
        // Step lengths differ between layers; per unit of length the predictions are comparable.
        changes.iter_mut().for_each(|change| *change /= step.length);
        let predicted = predictions(&[p], directions, labels.len());
        predicted.iter().zip(&changes).for_each(|(&x, &change)| self.correlation.add(x, change));
        Perturbed { losses, directions, changes }
    }

    /// Adds a chunk whose loss changes, per unit of length, were measured elsewhere.
    pub(crate) fn given(&mut self, p: &[f64], directions: Directions<'_>, changes: &[f64], samples: usize) {
        self.step = Some(Step { length: 0.0, enlarged: false, rounding: 0.0 });
        let predicted = predictions(&[p], directions, samples);
        predicted.iter().zip(changes).for_each(|(&x, &change)| self.correlation.add(x, change));
    }
}

/// Chooses the step length by the first few samples and directions.
fn trial<Label: Copy>(
    chunk: &StateChunk<'_, Label>,
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
    choose_step(rest, chunk.layer, h, &chunk.labels[..rows], few, settings.step)
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
