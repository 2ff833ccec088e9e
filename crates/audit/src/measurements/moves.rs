//! Moves of hidden states, and how the loss changes.

use super::{Directions, Downstream, Unmoved};

/// The state of a sample moves by `by` times a vector. Of a longer state, the first values move and the rest stay.
#[derive(Clone, Copy, Debug)]
pub struct Move<'a> {
    /// Index of the sample.
    pub sample: usize,
    /// The vector.
    pub along: &'a [f64],
    /// The factor.
    pub by: f64,
}

/// All moves of some states that are made together, in one walk through the layers above.
#[derive(Clone, Debug, Default)]
pub struct Moves<'a> {
    /// Along random directions: made up and down.
    pub steps: Vec<Move<'a>>,
    /// Whether whole passes show the loss to change in proportion to such steps, but for a share of 1e-5.
    pub proportional: bool,
    /// Against credits: made once.
    pub nudges: Vec<Move<'a>>,
}

/// How the loss changes under moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Half the difference between a step up and the same down, step by step.
    pub steps: Vec<f64>,
    /// The difference that a nudge makes, nudge by nudge.
    pub nudges: Vec<f64>,
}

impl<'a> Moves<'a> {
    /// Adds a step along every direction of every sample.
    pub fn step(&mut self, directions: Directions<'a>, samples: usize, length: f64) {
        let each = directions.each(samples);
        let rows = directions.vectors.chunks_exact(directions.reach).enumerate();
        self.steps.extend(rows.map(|(row, along)| Move { sample: row / each, along, by: length }));
    }
}

/// Each step up, then down.
pub(super) fn both_ways<'a>(steps: &[Move<'a>]) -> Vec<Move<'a>> {
    steps.iter().flat_map(|step| [*step, Move { by: -step.by, ..*step }]).collect()
}

/// Half the difference of the changes up and down, step by step.
pub(super) fn halves(changes: &[f64]) -> Vec<f64> {
    changes.chunks_exact(2).map(|both| 0.5 * (both[0] - both[1])).collect()
}

/// How the loss changes under steps, by whole passes.
pub(super) fn steps_by_passes<Label: Copy>(
    rest: &mut (impl Downstream<Label> + ?Sized),
    unmoved: &Unmoved<'_, Label>,
    steps: &[Move<'_>],
) -> Vec<f64> {
    halves(&changes_by_passes(rest, unmoved, &both_ways(steps)))
}

/// Numbers of moved states at a time: a megabyte.
pub(super) const NUMBERS: usize = 1 << 17;

/// How the loss changes under each move, by whole passes from the moved states.
pub(super) fn changes_by_passes<Label: Copy>(
    rest: &mut (impl Downstream<Label> + ?Sized),
    unmoved: &Unmoved<'_, Label>,
    moves: &[Move<'_>],
) -> Vec<f64> {
    let &Unmoved { layer, h, labels, losses } = unmoved;
    let width = h.len() / labels.len();
    // States with positions can be wide, and there is one copy per move: they are processed a few at a time.
    let rows = (NUMBERS / width).clamp(1, moves.len().max(1));
    let mut moved = vec![0.0; rows * width];
    let mut after = vec![0.0; rows];
    let mut changes = Vec::with_capacity(moves.len());
    for part in moves.chunks(rows) {
        let moved = &mut moved[..part.len() * width];
        let after = &mut after[..part.len()];
        for (to, step) in moved.chunks_exact_mut(width).zip(part) {
            to.copy_from_slice(&h[step.sample * width..][..width]);
            to.iter_mut().zip(step.along).for_each(|(h, v)| *h += v * step.by);
        }
        let labels: Vec<Label> = part.iter().map(|step| labels[step.sample]).collect();
        rest.losses(layer, moved, &labels, after);
        changes.extend(part.iter().zip(&*after).map(|(step, after)| after - losses[step.sample]));
    }
    changes
}
