//! What a dump tells of one unit's credit: cosines everywhere, and at h_L, where the head tells the loss, ρ and nudges.
//!
//! Nothing is known about the rule, so chance is made of the credit itself. Its samples are shuffled, whole rows, so that only
//! the bond between a sample and its credit is cut. And its features are turned, alike for all samples, which is what feedback
//! drawn afresh does to a credit: that band does not shrink with the number of samples, and a fixed random matrix falls inside.

use super::{Head, HeadDownstream, Rows};
use crate::checkpoint::layer::{Layer, predictions};
use crate::checkpoint::nulls::{DIRECTIONS, SAMPLES};
use crate::checkpoint::sums::{Chunk, Moved, Place, Reference};
use crate::{Correlation, unit_directions};
use record::audit::{Evidence, NullKind, Settings};
use std::ops::Range;
use tensor::random::{Purpose, Stream};

/// Samples in a chunk at most, and numbers that a chunk may hold of one kind: dumped states can be very wide.
const ROWS: usize = 32;
const NUMBERS: usize = 1 << 22;

/// Orders of the samples, one a draw of the null, and the seed of the turns.
#[derive(Debug)]
pub(super) struct Shuffles {
    orders: Vec<Vec<usize>>,
    seed: u64,
}

/// Place of the turns in the audit's stream.
const TURNS: u64 = 5;

/// A signed permutation of the features: orthogonal, drawn in no time at any width, and for credit without preferred axes
/// as good as any turn.
fn turn(seed: u64, draw: u64, width: usize) -> Vec<(usize, f64)> {
    let mut stream = Stream::at(seed, Purpose::Audit, TURNS, draw);
    let mut order: Vec<usize> = (0..width).collect();
    stream.shuffle(&mut order);
    order.into_iter().map(|from| (from, if stream.below(2) == 0 { 1.0 } else { -1.0 })).collect()
}

impl Shuffles {
    pub(super) fn new(samples: usize, settings: &Settings) -> Self {
        let order = |draw: u64| {
            let mut order: Vec<usize> = (0..samples).collect();
            Stream::at(settings.seed, Purpose::Audit, SAMPLES, draw).shuffle(&mut order);
            order
        };
        Self { orders: (0..settings.draws).map(order).collect(), seed: settings.seed }
    }

    /// Turns for credit of this width, one a draw. A credit of one feature can only change its sign, which is no chance.
    fn turns(&self, width: usize) -> Vec<Vec<(usize, f64)>> {
        let draws = if width > 1 { self.orders.len() as u64 } else { 0 };
        (0..draws).map(|draw| turn(self.seed, draw, width)).collect()
    }

    /// The credit of some samples, as it is and then as each draw has it.
    fn credits(&self, credit: &Rows, turns: &[Vec<(usize, f64)>], range: Range<usize>) -> Vec<Vec<Vec<f64>>> {
        let own = credit.gather(range.clone());
        let shuffled = self.orders.iter().map(|order| credit.gather(order[range.clone()].iter().copied()));
        let turned = turns.iter().map(|turn| {
            let row = |row: &[f64]| turn.iter().map(|&(from, sign)| sign * row[from]).collect::<Vec<f64>>();
            own.chunks_exact(credit.width).flat_map(row).collect()
        });
        std::iter::once(own.clone()).chain(shuffled).chain(turned).map(|rows| vec![rows]).collect()
    }
}

/// The way from h_L to the loss.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastState<'a> {
    pub(super) head: &'a Head,
    pub(super) h: &'a Rows,
    pub(super) labels: &'a [usize],
}

/// All evidence about a credit against a gradient p. `last` is there where they act at h_L and the loss is known.
pub(super) fn evidence(
    credit: &Rows,
    p: &Rows,
    typical: f64,
    last: Option<LastState<'_>>,
    shuffles: &Shuffles,
    settings: &Settings,
) -> Evidence {
    let (n, width) = (p.len(), p.width);
    let turns = shuffles.turns(width);
    let (shuffled, credits) = (1 + shuffles.orders.len(), 1 + shuffles.orders.len() + turns.len());
    let each = settings.directions as usize;
    let rows = (NUMBERS / width / credits.max(each)).clamp(1, ROWS);
    let etas = last.map_or(0, |_| settings.etas.len());
    let mut place = Place::new(0, 0, credits, etas, last.is_some());
    let mut layer = Layer::default();
    for start in (0..n).step_by(rows) {
        let range = start..n.min(start + rows);
        let all = shuffles.credits(credit, &turns, range.clone());
        let own = [p.gather(range.clone())];
        let h = [last.map_or_else(Vec::new, |last| last.h.gather(range.clone()))];
        let labels = last.map_or(&[][..], |last| &last.labels[range.clone()]);
        let chunk = Chunk { start, labels, width, h: &h, p: &own, credits: &all };
        place.compare(&chunk);
        if let Some(last) = last {
            perturb(&mut place, &mut layer, &chunk, last.head, settings);
        }
    }
    let (correlation, nudges, step) = (&layer.correlation, layer.nudges.as_slice(), layer.step.as_ref());
    let reference = Reference { gradient: typical, precisions: None, correlation, nudges, step };
    let kinds = [(NullKind::ShuffledSamples, 1..shuffled), (NullKind::TurnedFeatures, shuffled..credits)];
    place.finish(&kinds, &reference, n, settings)
}

/// Moves the states of a chunk and looks what the loss does.
fn perturb(place: &mut Place, layer: &mut Layer, chunk: &Chunk<'_, usize>, head: &Head, settings: &Settings) {
    let each = settings.directions as usize;
    let directions: Vec<f64> = (chunk.start..chunk.start + chunk.labels.len())
        .flat_map(|sample| {
            let mut stream = Stream::at(settings.seed, Purpose::Audit, DIRECTIONS, sample as u64);
            unit_directions(&mut stream, each, chunk.width)
        })
        .collect();
    let mut rest = HeadDownstream::new(head);
    let (predicted, columns) = predictions(chunk, &directions, each);
    let (losses, changes) = layer.add(0, chunk, &directions, &mut rest, settings);
    let correlation: &mut Correlation = &mut layer.correlation;
    for (row, &change) in predicted.chunks_exact(columns).zip(&changes) {
        correlation.add(row[columns - 1], change);
    }
    let moved = Moved { losses: &losses, changes: &changes, predicted: &predicted, columns };
    place.perturb(chunk, &moved, &mut rest, settings);
}
