//! The rest of a network above a hidden state, whose loss changes are differences carried through the layers.
//!
//! That costs a fraction of whole passes, and is right where their difference would drown in rounding. It is not trusted for
//! that: in every chunk the first sample's changes are also found by whole f64 passes, and where the two differ the passes
//! count (`Held`).

use super::moves::{NUMBERS, both_ways, changes_by_passes, halves, steps_by_passes};
use super::{Changes, Downstream, Move, Moves, NetworkDownstream, Unmoved};
use nn::{Differences, Network};
use tensor::Sides;

/// Steps and nudges of a sample that are compared, at most.
const COMPARED: [usize; 2] = [8, 6];
/// The largest difference with which carried changes count.
const AGREE: f64 = 1e-3;
/// How many times its rounding a change must be for a pass to be right to 1e-4.
const CLEAR: f64 = 1e4;

/// The rest of the network for the samples of a chunk.
pub(crate) struct CarriedDownstream<'a, 'n, N: Network<f64>> {
    passes: &'a mut NetworkDownstream<'n, N>,
    around: Option<&'a dyn Differences>,
    held: Held,
}

/// How carried changes agree with those of whole passes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    pub(crate) compared: u64,
    /// Of steps and of nudges: the sums of the squared differences, and of the squared changes.
    sums: [[f64; 2]; 2],
}

/// The larger of two numbers; NaN if one is, which `max` would ignore.
pub(crate) fn largest([a, b]: [f64; 2]) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}

impl Held {
    pub(crate) fn add(&mut self, other: &Self) {
        self.compared += other.compared;
        for (sums, other) in self.sums.iter_mut().zip(&other.sums) {
            sums.iter_mut().zip(other).for_each(|(sum, more)| *sum += more);
        }
    }

    /// The difference as a share of the changes: the root of the mean squares, of the steps or of the nudges, the larger.
    pub(crate) fn difference(&self) -> f64 {
        let share = |[error, size]: &[f64; 2]| if *size > 0.0 { (error / size).sqrt() } else { 0.0 };
        largest(self.sums.each_ref().map(share))
    }

    /// Whether the carried changes count. Passes that are themselves wrong by `rounding` contradict nobody by so much.
    pub(crate) fn agrees(&self, rounding: f64) -> bool {
        let rounding = if rounding.is_finite() { rounding } else { 0.0 };
        self.difference() <= AGREE.max(3.0 * rounding)
    }
}

impl<'a, 'n, N: Network<f64>> CarriedDownstream<'a, 'n, N> {
    /// With the differences around the samples of a chunk; without them, all is done by passes.
    pub(crate) fn new(passes: &'a mut NetworkDownstream<'n, N>, around: Option<&'a dyn Differences>) -> Self {
        Self { passes, around, held: Held::default() }
    }

    /// How what it has carried agrees with passes.
    pub(crate) fn held(&self) -> &Held {
        &self.held
    }

    /// Carries moves through the layers.
    fn carry(&self, layer: usize, moves: &[Move<'_>], sides: Sides) -> Vec<f64> {
        let Some(around) = self.around else { return Vec::new() };
        let reach = moves.first().map_or(1, |step| step.along.len());
        let rows = (NUMBERS / reach).max(1);
        let mut changes = vec![0.0; moves.len()];
        let mut shifts: Vec<f32> = Vec::with_capacity(rows.min(moves.len()) * reach);
        for (moves, changes) in moves.chunks(rows).zip(changes.chunks_mut(rows)) {
            shifts.clear();
            moves.iter().for_each(|step| shifts.extend(step.along.iter().map(|v| (v * step.by) as f32)));
            let owners: Vec<usize> = moves.iter().map(|step| step.sample).collect();
            around.changes(layer, &shifts, &owners, sides, changes);
        }
        changes
    }

    /// Compares changes of the first sample with those of passes.
    fn hold(&mut self, unmoved: &Unmoved<'_, u8>, moves: &Moves<'_>, changes: &Changes) {
        let width = unmoved.h.len() / unmoved.labels.len();
        let h = &unmoved.h[..width];
        let labels = &unmoved.labels[..1];
        let losses = self.passes.unmoved(unmoved.layer, h, labels);
        let first = Unmoved { h, labels, losses: &losses, ..*unmoved };
        let rounding = 4.0 * f64::EPSILON * (1.0 + losses[0].abs());
        let [steps, nudges] = COMPARED;
        let (steps, carried_steps) = first_moves(&moves.steps, &changes.steps, steps);
        let (nudges, carried_nudges) = first_moves(&moves.nudges, &changes.nudges, nudges);
        let passes =
            [steps_by_passes(self.passes, &first, &steps), changes_by_passes(self.passes, &first, &nudges)];
        let least = [0.0, CLEAR * rounding];
        let carried = [carried_steps, carried_nudges];
        for (((passes, carried), least), sums) in
            passes.iter().zip(&carried).zip(least).zip(&mut self.held.sums)
        {
            for (expected, carried) in passes.iter().zip(carried) {
                // What is not finite has no ρ by either way.
                if expected.is_finite() && expected.abs() > least {
                    self.held.compared += 1;
                    sums[0] += (carried - expected).powi(2);
                    sums[1] += expected.powi(2);
                }
            }
        }
    }
}

/// The first moves of the first sample, and their changes.
fn first_moves<'a>(moves: &[Move<'a>], changes: &[f64], most: usize) -> (Vec<Move<'a>>, Vec<f64>) {
    let all = moves.iter().copied().zip(changes.iter().copied());
    all.filter(|(step, _)| step.sample == 0).take(most).unzip()
}

impl<N: Network<f64>> Downstream for CarriedDownstream<'_, '_, N> {
    fn losses(&mut self, layer: usize, states: &[f64], labels: &[u8], losses: &mut [f64]) {
        self.passes.losses(layer, states, labels, losses);
    }

    fn unmoved(&mut self, layer: usize, h: &[f64], labels: &[u8]) -> Vec<f64> {
        match self.around {
            Some(around) => around.losses().to_vec(),
            None => self.passes.unmoved(layer, h, labels),
        }
    }

    /// Steps are carried both ways at once where that says the same.
    fn changes(&mut self, unmoved: &Unmoved<'_, u8>, moves: &Moves<'_>) -> Changes {
        if self.around.is_none() {
            return self.passes.changes(unmoved, moves);
        }
        let layer = unmoved.layer;
        let steps = if moves.proportional {
            self.carry(layer, &moves.steps, Sides::Both)
        } else {
            halves(&self.carry(layer, &both_ways(&moves.steps), Sides::Up))
        };
        let changes = Changes { steps, nudges: self.carry(layer, &moves.nudges, Sides::Up) };
        self.hold(unmoved, moves, &changes);
        changes
    }
}
