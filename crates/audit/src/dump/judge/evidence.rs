//! The evidence about one unit's credit in a dump: cosines everywhere; ρ and nudges at h_L, where the head gives the loss.
//!
//! Nothing is known about the rule, so the nulls are made from the credit itself. Its samples are shuffled as whole rows,
//! which only breaks the link between a sample and its credit. And its features are rotated, the same way for all samples,
//! like fresh feedback would: that band does not shrink with the number of samples, and a fixed random matrix falls inside.

use super::HeadDownstream;
use crate::dump::{DumpRows, Head};
use crate::measure::{CreditSums, Perturbation, Reference, StateChunk, directions, orders, rotation};
use crate::measurements::{Directions, Downstream};
use record::audit::{Evidence, NullKind, Settings};
use std::ops::Range;

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

    /// Rotations for credit of this width, one per draw; none for a single feature, which could only change its sign.
    fn rotations(&self, width: usize) -> Vec<Vec<(usize, f64)>> {
        let draws = if width > 1 { self.orders.len() as u64 } else { 0 };
        (0..draws).map(|draw| rotation(self.seed, draw, width)).collect()
    }

    /// The credit of some samples: measured, shuffled and rotated.
    fn credits(
        &self,
        credit: &DumpRows,
        rotations: &[Vec<(usize, f64)>],
        range: Range<usize>,
    ) -> Vec<Vec<f64>> {
        let own = credit.gather(range.clone());
        let shuffled = self.orders.iter().map(|order| credit.gather(order[range.clone()].iter().copied()));
        let rotated = rotations.iter().map(|rotation| {
            let row =
                |row: &[f64]| rotation.iter().map(|&(from, sign)| sign * row[from]).collect::<Vec<f64>>();
            own.chunks_exact(credit.width).flat_map(row).collect()
        });
        std::iter::once(own.clone()).chain(shuffled).chain(rotated).collect()
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

/// All evidence about a credit against a gradient p, whose median norm is `typical` and which is `exact` if it is in f64.
/// `last` is given if they act at h_L and the loss is known.
pub(super) fn evidence(
    credit: &DumpRows,
    p: &DumpRows,
    typical: f64,
    exact: bool,
    last: Option<LastState<'_>>,
    shuffles: &Shuffles,
    settings: &Settings,
) -> Evidence {
    let n = p.len();
    let width = p.width;
    let rotations = shuffles.rotations(width);
    let shuffled = 1 + shuffles.orders.len();
    let credits = shuffled + rotations.len();
    let each = settings.directions as usize;
    let rows = (NUMBERS / width / credits.max(each)).clamp(1, ROWS);
    let etas = last.map_or(0, |_| settings.etas.len());
    let mut sums = CreditSums::new(credits, etas, last.is_some());
    let mut perturbation = Perturbation::default();
    for start in (0..n).step_by(rows) {
        let range = start..n.min(start + rows);
        let all = shuffles.credits(credit, &rotations, range.clone());
        let all: Vec<&[f64]> = all.iter().map(Vec::as_slice).collect();
        let own = p.gather(range.clone());
        let h = last.map_or_else(Vec::new, |last| last.h.gather(range.clone()));
        let labels = last.map_or(&[][..], |last| &last.labels[range.clone()]);
        // A head ignores the index of the layer.
        let chunk = StateChunk { start, layer: 0, labels, h: &h, p: &own, reach: width };
        match last {
            Some(last) => perturb(&mut sums, &mut perturbation, &chunk, &all, last.head, settings),
            None => sums.compare(&chunk, &all),
        }
    }
    let reference = Reference {
        gradient: typical,
        exact,
        precisions: None,
        correlation: &perturbation.correlation,
        nudges: &perturbation.nudges,
        step: perturbation.step.as_ref(),
    };
    let kinds = [(NullKind::ShuffledSamples, 1..shuffled), (NullKind::TurnedFeatures, shuffled..credits)];
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
    let moved = perturbation.add(chunk, Directions { vectors: &vectors, reach }, &mut rest, settings);
    sums.add(chunk, credits, &moved, &mut rest, settings);
}
