//! The credit of each unit, from the weights and from the credit above it.

use super::arithmetic::Arithmetic;
use super::carrier::Carrier;
use super::checked::CheckedRecord;
use super::forward::ForwardPass;
use super::matrix::{distance, norm};
use super::path::PlainPath;
use super::weights::Weights;
use rules::Projected;

/// One pass over the batch, in one arithmetic.
#[derive(Debug)]
pub(super) struct Replay {
    path: PlainPath,
    weights: Weights,
    states: ForwardPass,
    /// What direct feedback projects (e_T, or −onehot(y)), or a bridge's conditions.
    source: Vec<f64>,
    /// The credit of each block, if a bridge gives it.
    bridged: Vec<Vec<f64>>,
    arithmetic: Arithmetic,
}

impl Replay {
    pub(super) fn new(checked: &CheckedRecord<'_>, mut arithmetic: Arithmetic) -> Self {
        let weights = checked.weights.rounded(&mut arithmetic);
        let states = ForwardPass::of(&weights, &checked.x, checked.labels, &mut arithmetic);
        let source = match (checked.path, &weights.bridge) {
            (_, Some(bridge)) => bridge.conditions(&weights, &states, &mut arithmetic),
            (PlainPath::Direct(Projected::Target), None) => targets(checked.labels, weights.head.weight.rows),
            _ => states.head.e.clone(),
        };
        let bridged = weights.bridge.as_ref().map_or_else(Vec::new, |bridge| {
            bridge.credit(&weights, &states, &source, checked.labels, &mut arithmetic)
        });
        Self { path: checked.path, weights, states, source, bridged, arithmetic }
    }

    /// The credit of the topmost unit.
    pub(super) fn top(&mut self) -> Vec<f64> {
        match self.path {
            PlainPath::Gradient { .. } | PlainPath::Replaced(_) => {
                self.states.head.slope(&self.weights, &mut self.arithmetic)
            }
            PlainPath::Chain { batch } => {
                let p = self.states.head.slope(&self.weights, &mut self.arithmetic);
                p.into_iter().map(|p| self.arithmetic.store(p / batch, 1)).collect()
            }
            PlainPath::Direct(_) => self.direct(self.weights.feedback.len() - 1),
            PlainPath::Bridge(..) => self.bridged[self.bridged.len() - 1].clone(),
        }
    }

    /// The credit of `unit`, given that of the unit above it.
    pub(super) fn below(&mut self, unit: usize, above: &[f64]) -> Vec<f64> {
        match self.path {
            // The gradient of CE + λΣ‖f‖²: block l's own penalty enters in block l's vector-Jacobian product.
            PlainPath::Gradient { penalty } => {
                let f = &self.states.branches[unit].f;
                let arithmetic = &mut self.arithmetic;
                let with_penalty = |(a, f): (&f64, &f64)| arithmetic.store(a + 2.0 * penalty * f, 1);
                let s: Vec<f64> = above.iter().zip(f).map(with_penalty).collect();
                let block = &self.weights.blocks[unit];
                let matrices = [&block.w1.weight, &block.w2.weight];
                self.states.down(&self.weights, unit, matrices, &s, above, arithmetic)
            }
            PlainPath::Chain { .. } | PlainPath::Replaced(_) => self.fed_back(unit, unit, above),
            // In these rules the embedding gets the credit of block 0.
            PlainPath::Direct(_) | PlainPath::Bridge(..) if unit == 0 => above.to_vec(),
            PlainPath::Direct(_) => self.direct(unit - 1),
            PlainPath::Bridge(..) => self.bridged[unit - 1].clone(),
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

    /// The credit of `unit` from that above it by the feedback of this index: B·a, or through the block by R1 and R2.
    pub(super) fn fed_back(&mut self, unit: usize, index: usize, above: &[f64]) -> Vec<f64> {
        let Some(Carrier { r1, r2 }) = self.weights.carriers.get(index) else {
            let credit = self.weights.feedback[index].apply(above);
            return self.stored(credit);
        };
        self.states.down(&self.weights, unit, [r1, r2], above, above, &mut self.arithmetic)
    }

    /// The same by the unit's own feedback, transposed; its matrices are square.
    pub(super) fn fed_back_transposed(&mut self, unit: usize, above: &[f64]) -> Vec<f64> {
        let Some(Carrier { r1, r2 }) = self.weights.carriers.get(unit).map(Carrier::transposed) else {
            let credit = self.weights.feedback[unit].apply_transposed(above);
            return self.stored(credit);
        };
        self.states.down(&self.weights, unit, [&r1, &r2], above, above, &mut self.arithmetic)
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

    /// Whether rounding has changed a bridge's conditions: a gradient of which f32 keeps no digits has a random direction,
    /// which normalisation brings to full length. The credit can then be anything, more than a few draws show.
    pub(super) fn misled(&self, exact: &Self) -> bool {
        !self.bridged.is_empty() && distance(&self.source, &exact.source) > 0.5 * norm(&exact.source)
    }

    /// Number of feedback matrices, or of carriers.
    pub(super) fn matrices(&self) -> usize {
        self.weights.feedback.len().max(self.weights.carriers.len())
    }
}

/// −onehot(y) of each sample.
fn targets(labels: &[u8], classes: usize) -> Vec<f64> {
    let mut targets = vec![0.0; labels.len() * classes];
    for (row, &label) in targets.chunks_exact_mut(classes).zip(labels) {
        row[usize::from(label)] = -1.0;
    }
    targets
}
