//! What is done once at each hidden state, however many credits are held against it: the steps along random directions,
//! and the true gradient's own ρ and nudges.

use super::sums::Chunk;
use crate::measure::{Correlation, Downstream, NudgeMean, Step, choose_step, loss_changes};
use record::audit::Settings;
use tensor::{Mat, matmul};

/// Samples and directions that the length of the steps is chosen on.
const TRIAL: (usize, usize) = (16, 8);

/// A hidden state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    pub(crate) step: Option<Step>,
    pub(crate) correlation: Correlation,
    pub(crate) nudges: Vec<NudgeMean>,
}

impl Layer {
    /// Losses of a chunk's states, and their changes along the directions.
    pub(crate) fn add<Label: Copy>(
        &mut self,
        l: usize,
        chunk: &Chunk<'_, Label>,
        directions: &[f64],
        rest: &mut dyn Downstream<Label>,
        settings: &Settings,
    ) -> (Vec<f64>, Vec<f64>) {
        let mut losses = vec![0.0; chunk.labels.len()];
        rest.losses(l, &chunk.h[l], chunk.labels, &mut losses);
        self.nudges.resize(settings.etas.len(), NudgeMean::default());
        for (nudge, &eta) in self.nudges.iter_mut().zip(&settings.etas) {
            nudge.add(rest, l, (&chunk.h[l], &losses), chunk.labels, &chunk.p[l], eta);
        }
        if directions.is_empty() {
            return (losses, Vec::new());
        }
        let step = *self.step.get_or_insert_with(|| trial(l, chunk, directions, rest, settings));
        let mut changes = loss_changes(rest, l, &chunk.h[l], chunk.labels, directions, step.length);
        // Lengths differ from layer to layer; per unit of length they can be held against the same predictions.
        changes.iter_mut().for_each(|change| *change /= step.length);
        (losses, changes)
    }
}

/// The length of the steps, by the first few samples and directions.
fn trial<Label: Copy>(
    l: usize,
    chunk: &Chunk<'_, Label>,
    directions: &[f64],
    rest: &mut dyn Downstream<Label>,
    settings: &Settings,
) -> Step {
    let (width, each) = (chunk.width, settings.directions as usize);
    let (rows, some) = (TRIAL.0.min(chunk.labels.len()), TRIAL.1.min(each));
    let few: Vec<f64> = directions
        .chunks_exact(each * width)
        .take(rows)
        .flat_map(|of_sample| &of_sample[..some * width])
        .copied()
        .collect();
    choose_step(rest, l, &chunk.h[l][..rows * width], &chunk.labels[..rows], &few, settings.step)
}

/// ⟨signal, v⟩ of every credit and unit, and last of the gradient at every layer, for each sample and direction; and how many
/// that are in a row.
pub(crate) fn predictions<Label>(
    chunk: &Chunk<'_, Label>,
    directions: &[f64],
    each: usize,
) -> (Vec<f64>, usize) {
    let width = chunk.width;
    let signals: Vec<&[f64]> = chunk.credits.iter().flatten().chain(chunk.p).map(Vec::as_slice).collect();
    let columns = signals.len();
    let mut predicted = vec![0.0; chunk.labels.len() * each * columns];
    if each == 0 {
        return (predicted, columns);
    }
    let mut of_sample = vec![0.0; columns * width];
    let rows = predicted.chunks_exact_mut(each * columns).zip(directions.chunks_exact(each * width));
    for (i, (predicted, directions)) in rows.enumerate() {
        for (row, signal) in of_sample.chunks_exact_mut(width).zip(&signals) {
            row.copy_from_slice(&signal[i * width..(i + 1) * width]);
        }
        matmul(predicted, 1.0, Mat::new(directions, each, width), Mat::new(&of_sample, columns, width).t());
    }
    (predicted, columns)
}
