//! The evidence about one unit's credit in a dump: cosines everywhere; ρ where the dump has measured loss changes, or at h_L,
//! where the head gives the loss; nudges there.
//!
//! Nothing is known about the rule, so the nulls are made from the credit itself. Its samples are shuffled as whole rows,
//! which only breaks the link between a sample and its credit. And its features are rotated, the same way for all samples,
//! like fresh feedback would: that band does not shrink with the number of samples, and a fixed random matrix falls inside.
//! Where the credit is recognised as direct feedback, other matrices are drawn instead.

use super::HeadDownstream;
use crate::dump::{DumpRows, Head, LossChanges};
use crate::measure::{
    CreditSums, Perturbation, Reference, StateChunk, directions, fresh_feedback, move_states, orders,
    rotation,
};
use crate::measurements::{Directions, Downstream};
use record::audit::{Evidence, NullKind, Settings};
use std::ops::Range;
use tensor::{Mat, matmul};

/// Most samples in a chunk.
const ROWS: usize = 32;
/// Most numbers of one kind in a chunk: dumped states can be very wide.
const NUMBERS: usize = 1 << 22;

/// Orders of the samples, one per draw of the null, and the seed of the rotations.
#[derive(Debug)]
pub(super) struct Shuffles {
    orders: Vec<Vec<usize>>,
    seed: u64,
}

impl Shuffles {
    pub(super) fn new(samples: usize, settings: &Settings) -> Self {
        Self { orders: orders(NullKind::ShuffledSamples, samples, settings), seed: settings.seed }
    }

    /// Feedback drawn afresh for credit of this width, one per draw: matrices where the credit is a linear image of `errors`,
    /// else rotations. None for a single feature, which a rotation could only change the sign of.
    fn redraws<'a>(&self, width: usize, errors: Option<&'a DumpRows>) -> Vec<Redraw<'a>> {
        let draws = if width > 1 || errors.is_some() { self.orders.len() as u64 } else { 0 };
        let redraw = |draw| match errors {
            Some(errors) => {
                Redraw::Feedback { errors, matrix: fresh_feedback(self.seed, draw, errors.width, width) }
            }
            None => Redraw::Rotation(rotation(self.seed, draw, width)),
        };
        (0..draws).map(redraw).collect()
    }

    /// The credit of some samples: measured, shuffled and with fresh feedback.
    fn credits(&self, credit: &DumpRows, redraws: &[Redraw<'_>], range: Range<usize>) -> Vec<Vec<f64>> {
        let own = credit.gather(range.clone());
        let shuffled = self.orders.iter().map(|order| credit.gather(order[range.clone()].iter().copied()));
        let redrawn = redraws.iter().map(|redraw| redraw.credit(&own, credit.width, range.clone()));
        std::iter::once(own.clone()).chain(shuffled).chain(redrawn).collect()
    }
}

/// Feedback drawn afresh.
enum Redraw<'a> {
    /// The credit turned in the space of its features.
    Rotation(Vec<(usize, f64)>),
    /// Another matrix for the error at the output, classes × features.
    Feedback { errors: &'a DumpRows, matrix: Vec<f64> },
}

impl Redraw<'_> {
    /// The credit of the samples in `range`, which is `own` as measured.
    fn credit(&self, own: &[f64], width: usize, range: Range<usize>) -> Vec<f64> {
        match self {
            Self::Rotation(rotation) => {
                let row = |row: &[f64]| rotation.iter().map(|&(from, sign)| sign * row[from]).collect();
                own.chunks_exact(width).flat_map::<Vec<f64>, _>(row).collect()
            }
            Self::Feedback { errors, matrix } => {
                let e = errors.gather(range.clone());
                let mut credit = vec![0.0; own.len()];
                let e = Mat::new(&e, range.len(), errors.width);
                matmul(&mut credit, 1.0, e, Mat::new(matrix, errors.width, width));
                credit
            }
        }
    }
}

/// What the loss at h_L is computed from.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastState<'a> {
    pub(super) head: &'a Head,
    pub(super) h: &'a DumpRows,
    pub(super) labels: &'a [usize],
}

impl LastState<'_> {
    /// The mean loss of the samples.
    pub(super) fn mean_loss(&self) -> f64 {
        let mut losses = vec![0.0; self.labels.len()];
        HeadDownstream::new(self.head).losses(0, &self.h.values, self.labels, &mut losses);
        losses.iter().sum::<f64>() / losses.len() as f64
    }
}

/// What is known of the loss around a state.
#[derive(Clone, Copy, Debug)]
pub(super) enum KnownLoss<'a> {
    /// The head gives it: the state is h_L.
    Head(LastState<'a>),
    /// Its changes came with the dump.
    Measured(&'a LossChanges),
}

/// The gradient that a credit is compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared<'a> {
    pub(super) p: &'a DumpRows,
    /// Median of its norm.
    pub(super) size: f64,
    /// Whether it is in f64.
    pub(super) exact: bool,
    pub(super) loss: Option<KnownLoss<'a>>,
}

/// All evidence about a credit, which is a linear image of `errors` if they are given.
pub(super) fn evidence(
    credit: &DumpRows,
    compared: &Compared<'_>,
    errors: Option<&DumpRows>,
    shuffles: &Shuffles,
    settings: &Settings,
) -> Evidence {
    let &Compared { p, size, exact, loss } = compared;
    let last = loss.and_then(|loss| match loss {
        KnownLoss::Head(last) => Some(last),
        KnownLoss::Measured(_) => None,
    });
    let n = p.len();
    let width = p.width;
    let redraws = shuffles.redraws(width, errors);
    let shuffled = 1 + shuffles.orders.len();
    let credits = shuffled + redraws.len();
    let each = match loss {
        Some(KnownLoss::Measured(measured)) => measured.directions.len(),
        _ => settings.directions as usize,
    };
    let rows = (NUMBERS / width / credits.max(each)).clamp(1, ROWS);
    let etas = last.map_or(0, |_| settings.etas.len());
    let mut sums = CreditSums::new(credits, etas, last.is_some());
    let mut perturbation = Perturbation::default();
    for start in (0..n).step_by(rows) {
        let range = start..n.min(start + rows);
        let all = shuffles.credits(credit, &redraws, range.clone());
        let all: Vec<&[f64]> = all.iter().map(Vec::as_slice).collect();
        let own = p.gather(range.clone());
        let h = last.map_or_else(Vec::new, |last| last.h.gather(range.clone()));
        let labels = last.map_or(&[][..], |last| &last.labels[range.clone()]);
        // A head ignores the index of the layer.
        let chunk = StateChunk { start, layer: 0, labels, h: &h, p: &own, reach: width };
        match loss {
            Some(KnownLoss::Head(last)) => {
                perturb(&mut sums, &mut perturbation, &chunk, &all, last.head, settings);
            }
            Some(KnownLoss::Measured(measured)) => {
                sums.compare(&chunk, &all);
                let vectors = measured.directions.values.repeat(range.len());
                let directions = Directions { vectors: &vectors, reach: width };
                let changes = measured.changes.gather(range.clone());
                sums.correlate(&all, directions, &changes, range.len());
                perturbation.given(&own, directions, &changes, range.len());
            }
            None => sums.compare(&chunk, &all),
        }
    }
    let reference = Reference {
        gradient: size,
        exact,
        precisions: None,
        correlation: &perturbation.correlation,
        nudges: &perturbation.nudges,
        step: perturbation.step.as_ref(),
    };
    let redrawn = if errors.is_some() { NullKind::FreshFeedback } else { NullKind::TurnedFeatures };
    let kinds = [(NullKind::ShuffledSamples, 1..shuffled), (redrawn, shuffled..credits)];
    sums.finish(&kinds, &reference, n, settings)
}

/// Compares the credits of a chunk, moves its states and measures the change of the loss.
fn perturb(
    sums: &mut CreditSums,
    perturbation: &mut Perturbation,
    chunk: &StateChunk<'_, usize>,
    credits: &[&[f64]],
    head: &Head,
    settings: &Settings,
) {
    let reach = chunk.reach;
    let samples = chunk.start..chunk.start + chunk.labels.len();
    let vectors = directions(reach, samples, settings);
    let mut rest = HeadDownstream::new(head);
    let directions = Directions { vectors: &vectors, reach };
    move_states(perturbation, &mut [(sums, credits)], chunk, directions, &mut rest, settings);
}
