//! The credit of each unit, from the weights and from the credit above it.

use super::arithmetic::Arithmetic;
use super::carrier::Carrier;
use super::case::Case;
use super::forward::States;
use super::matrix::{distance, norm};
use super::path::Path;
use super::weights::Weights;
use rules::Projected;

/// One pass over the batch, in one arithmetic.
#[derive(Debug)]
pub(super) struct Replay {
    path: Path,
    weights: Weights,
    states: States,
    /// What direct feedback projects: e_T, or −onehot(y). What a bridge is told.
    source: Vec<f64>,
    /// The credit of each block, where a bridge gives it.
    bridged: Vec<Vec<f64>>,
    arithmetic: Arithmetic,
}

impl Replay {
    pub(super) fn new(case: &Case<'_>, mut arithmetic: Arithmetic) -> Self {
        let weights = case.weights.seen(&mut arithmetic);
        let states = States::of(&weights, &case.x, case.labels, &mut arithmetic);
        let source = match (case.path, &weights.bridge) {
            (_, Some(bridge)) => bridge.told(&weights, &states, &mut arithmetic),
            (Path::Direct(Projected::Target), None) => targets(case.labels, weights.head.weight.rows),
            _ => states.judged.e.clone(),
        };
        let bridged = weights.bridge.as_ref().map_or_else(Vec::new, |bridge| {
            bridge.credit(&weights, &states, &source, case.labels, &mut arithmetic)
        });
        Self { path: case.path, weights, states, source, bridged, arithmetic }
    }

    /// The credit of the topmost unit.
    pub(super) fn top(&mut self) -> Vec<f64> {
        match self.path {
            Path::Gradient { .. } | Path::Replaced(_) => {
                self.states.judged.slope(&self.weights, &mut self.arithmetic)
            }
            Path::Chain { batch } => {
                let p = self.states.judged.slope(&self.weights, &mut self.arithmetic);
                p.into_iter().map(|p| self.arithmetic.store(p / batch, 1)).collect()
            }
            Path::Direct(_) => self.direct(self.weights.feedback.len() - 1),
            Path::Bridge(..) => self.bridged[self.bridged.len() - 1].clone(),
        }
    }

    /// The credit of `unit`, given that of the unit above it.
    pub(super) fn below(&mut self, unit: usize, above: &[f64]) -> Vec<f64> {
        match self.path {
            // The gradient of CE + λΣ‖f‖²: block l's own penalty enters on the way down through block l.
            Path::Gradient { penalty } => {
                let f = &self.states.branches[unit].f;
                let arithmetic = &mut self.arithmetic;
                let with = |(a, f): (&f64, &f64)| arithmetic.store(a + 2.0 * penalty * f, 1);
                let s: Vec<f64> = above.iter().zip(f).map(with).collect();
                let block = &self.weights.blocks[unit];
                let matrices = (&block.w1.weight, &block.w2.weight);
                self.states.down(&self.weights, unit, matrices, &s, above, arithmetic)
            }
            Path::Chain { .. } | Path::Replaced(_) => self.fed_back(unit, unit, above),
            // Of these the embedding is given what block 0 is.
            Path::Direct(_) | Path::Bridge(..) if unit == 0 => above.to_vec(),
            Path::Direct(_) => self.direct(unit - 1),
            Path::Bridge(..) => self.bridged[unit - 1].clone(),
        }
    }

    /// The credit of all units, from the weights alone.
    pub(super) fn chain(&mut self) -> Vec<Vec<f64>> {
        let mut credit = vec![self.top()];
        for unit in (0..self.weights.blocks.len()).rev() {
            let below = self.below(unit, &credit[credit.len() - 1]);
            credit.push(below);
        }
        credit.reverse();
        credit
    }

    /// The credit of `unit` from that above it, if the feedback of this index brings it down: B·a, or through the block by R1
    /// and R2.
    pub(super) fn fed_back(&mut self, unit: usize, index: usize, above: &[f64]) -> Vec<f64> {
        let Some(Carrier { r1, r2 }) = self.weights.carriers.get(index) else {
            let credit = self.weights.feedback[index].apply(above);
            return self.stored(credit);
        };
        self.states.down(&self.weights, unit, (r1, r2), above, above, &mut self.arithmetic)
    }

    /// The same with the unit's own feedback, transposed; its matrices are square.
    pub(super) fn fed_back_transposed(&mut self, unit: usize, above: &[f64]) -> Vec<f64> {
        let Some(Carrier { r1, r2 }) = self.weights.carriers.get(unit).map(Carrier::transposed) else {
            let credit = self.weights.feedback[unit].apply_transposed(above);
            return self.stored(credit);
        };
        self.states.down(&self.weights, unit, (&r1, &r2), above, above, &mut self.arithmetic)
    }

    /// B·e_T, or −B·onehot(y).
    pub(super) fn direct(&mut self, matrix: usize) -> Vec<f64> {
        let credit = self.weights.feedback[matrix].apply(&self.source);
        self.stored(credit)
    }

    fn stored(&mut self, mut credit: Vec<f64>) -> Vec<f64> {
        self.arithmetic.store_all(&mut credit, 1);
        credit
    }

    /// Whether rounding has told a bridge something else: a gradient of which f32 keeps no digits has any direction, and is told at
    /// full length. What follows from it can then be anything, more than a few draws show.
    pub(super) fn misled(&self, exact: &Self) -> bool {
        let (told, moved) = (norm(&exact.source), distance(&self.source, &exact.source));
        !self.bridged.is_empty() && moved > 0.5 * told
    }

    /// Number of feedback matrices, or of carriers.
    pub(super) fn matrices(&self) -> usize {
        self.weights.feedback.len().max(self.weights.carriers.len())
    }
}

/// −onehot(y) of each sample.
fn targets(labels: &[u8], classes: usize) -> Vec<f64> {
    let of = |label: u8| (0..classes).map(move |class| if class == usize::from(label) { -1.0 } else { 0.0 });
    labels.iter().flat_map(|&label| of(label)).collect()
}
