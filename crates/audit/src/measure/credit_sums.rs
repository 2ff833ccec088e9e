//! Sums over samples of all measurements of one credit at one state, nulls included.

use super::perturbation::next;
use crate::measurements::{
    Correlation, CosineMean, Directions, Moves, NudgeMean, Step, band, finish_rho, predictions,
};
use protocol::{at_floor, judged_by};
use record::audit::{Evidence, Nudge, Null, NullKind, Quantity, Rho, Settings};
use record::{Measured, Why};
use std::ops::Range;
use tensor::Float;

/// Sums for the credit of one unit at one state.
pub(crate) struct CreditSums {
    cosines: Vec<CosineMean>,
    correlations: Vec<Correlation>,
    nudges: Vec<NudgeMean>,
    /// Nudges of every credit with the middle η, on the samples used for nulls.
    null_nudges: Vec<NudgeMean>,
}

/// One chunk of samples at one state.
pub(crate) struct StateChunk<'a, Label = u8> {
    /// Index of its first sample.
    pub(crate) start: usize,
    /// Index of the state.
    pub(crate) layer: usize,
    pub(crate) labels: &'a [Label],
    /// States, whole.
    pub(crate) h: &'a [f64],
    /// Gradients, one row of `reach` per sample, like credits.
    pub(crate) p: &'a [f64],
    pub(crate) reach: usize,
}

impl<Label> StateChunk<'_, Label> {
    /// How many of its samples the nulls of the nudge are measured on.
    fn of_nulls(&self, settings: &Settings) -> usize {
        (settings.null_samples as usize).saturating_sub(self.start).min(self.labels.len())
    }
}

impl CreditSums {
    /// `nulls`: whether nudges of the nulls are measured too.
    pub(crate) fn new(credits: usize, etas: usize, nulls: bool) -> Self {
        Self {
            cosines: vec![CosineMean::default(); credits],
            correlations: vec![Correlation::default(); credits],
            nudges: vec![NudgeMean::default(); etas],
            null_nudges: vec![NudgeMean::default(); if nulls { credits } else { 0 }],
        }
    }

    /// Adds the cosines of a chunk, which need only credit and gradient. The measured credit comes first, then the nulls,
    /// which may be omitted.
    pub(crate) fn compare<Label, A: Float>(&mut self, chunk: &StateChunk<'_, Label>, credits: &[&[A]]) {
        for (cosine, credit) in self.cosines.iter_mut().zip(credits) {
            cosine.add(credit, chunk.p, chunk.reach);
        }
    }

    /// Compares what all credits of some samples predict with changes of the loss along directions.
    pub(crate) fn correlate<A: Float>(
        &mut self,
        credits: &[&[A]],
        directions: Directions<'_>,
        changes: &[f64],
        samples: usize,
    ) {
        let predicted = predictions(credits, directions, samples);
        for (k, correlation) in self.correlations.iter_mut().take(credits.len()).enumerate() {
            for (row, &change) in predicted.chunks_exact(credits.len()).zip(changes) {
                correlation.add(row[k], change);
            }
        }
    }

    /// Asks for the nudges of the measured credit, and for those of all credits on the samples used for nulls.
    pub(crate) fn ask<'a, Label>(
        &mut self,
        chunk: &StateChunk<'_, Label>,
        credits: &[&'a [f64]],
        settings: &Settings,
        moves: &mut Moves<'a>,
    ) {
        let samples = chunk.labels.len();
        for (nudge, &eta) in self.nudges.iter_mut().zip(&settings.etas) {
            nudge.ask(credits[0], samples, eta, moves);
        }
        let few = chunk.of_nulls(settings);
        if let Some(&eta) = middle(&settings.etas).filter(|_| few > 0) {
            for (nudge, credit) in self.null_nudges.iter_mut().zip(credits) {
                nudge.ask(&credit[..few * chunk.reach], few, eta, moves);
            }
        }
    }

    /// Takes the changes of the loss that it asked for.
    pub(crate) fn take<Label>(
        &mut self,
        chunk: &StateChunk<'_, Label>,
        credits: usize,
        losses: &[f64],
        nudges: &mut &[f64],
        settings: &Settings,
    ) {
        for nudge in &mut self.nudges {
            nudge.take(next(nudges, losses.len()), losses);
        }
        let few = chunk.of_nulls(settings);
        if few > 0 && !settings.etas.is_empty() {
            for nudge in self.null_nudges.iter_mut().take(credits) {
                nudge.take(next(nudges, few), &losses[..few]);
            }
        }
    }

    /// The evidence. `kinds` are the nulls and their ranges among the credits.
    pub(crate) fn finish(
        &self,
        kinds: &[(NullKind, Range<usize>)],
        reference: &Reference<'_>,
        samples: usize,
        settings: &Settings,
    ) -> Evidence {
        // The size of a gradient in f64 does not matter.
        let floor = if reference.exact { 0.0 } else { settings.thresholds.floor };
        let cosine = match self.cosines[0].finish(at_floor(reference.gradient), floor) {
            Measured::Defined { value } => judged_by(value, reference.precisions),
            other => other,
        };
        let rho = reference.step.map(|step| Rho {
            value: finish_rho(&self.correlations[0], step, Why::CreditVanished),
            gradient: finish_rho(reference.correlation, step, Why::ReferenceVanished),
            step: step.length,
            enlarged: step.enlarged,
            rounding: step.rounding,
        });
        let nudges = self.nudges.iter().zip(reference.nudges).zip(&settings.etas);
        let nudges =
            nudges.map(|((own, best), &eta)| Nudge { eta, change: own.finish(), gradient: best.finish() });
        let few = samples.min(settings.null_samples as usize);
        let moves = self.null_nudges.first().is_some_and(|own| own.finish().value().is_some());
        let means = |of: Quantity, k: usize| match of {
            Quantity::Cosine => self.cosines[k].mean(),
            Quantity::Rho if rho.is_some_and(|rho| rho.value.value().is_some()) => {
                self.correlations[k].value()
            }
            Quantity::Rho => None,
            Quantity::Nudge => self.null_nudges.get(k).filter(|_| moves).and_then(NudgeMean::mean),
        };
        let mut found = Vec::new();
        for (kind, range) in kinds {
            for of in [Quantity::Cosine, Quantity::Rho, Quantity::Nudge] {
                let draws: Option<Vec<f64>> = range.clone().map(|k| means(of, k)).collect();
                let n = if of == Quantity::Nudge { few } else { samples };
                found.extend(
                    means(of, 0)
                        .zip(draws)
                        .and_then(|(value, draws)| band(*kind, of, n, value, &draws))
                        .filter(applies),
                );
            }
        }
        Evidence {
            cosine,
            spread: self.cosines[0].spread(),
            torch: self.cosines[0].torch(),
            rho,
            nudges: nudges.collect(),
            nulls: found,
        }
    }
}

/// The reference at a layer.
pub(crate) struct Reference<'a> {
    /// Median ‖p‖.
    pub(crate) gradient: f64,
    /// Whether it is in f64.
    pub(crate) exact: bool,
    /// Mean cosine of f32 and f64 gradients.
    pub(crate) precisions: Option<f64>,
    /// The gradient's own ρ.
    pub(crate) correlation: &'a Correlation,
    /// The gradient's own nudges.
    pub(crate) nudges: &'a [NudgeMean],
    /// Step of ρ; none if ρ was not asked for.
    pub(crate) step: Option<&'a Step>,
}

/// Whether the null depends on what was drawn: not if every draw gives the measured value itself.
fn applies(null: &Null) -> bool {
    null.low < null.high || null.value != null.low
}

fn middle(etas: &[f64]) -> Option<&f64> {
    etas.get(etas.len().checked_sub(1)? / 2)
}
