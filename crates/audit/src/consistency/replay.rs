//! The credit of each unit, from the weights and from the credit above it.

use super::arithmetic::Arithmetic;
use super::case::{Case, Rule};
use super::forward::States;
use super::weights::Weights;

/// One pass over the batch, in one arithmetic.
#[derive(Debug)]
pub(super) struct Replay {
    rule: Rule,
    weights: Weights,
    states: States,
    arithmetic: Arithmetic,
}

impl Replay {
    pub(super) fn new(case: &Case<'_>, mut arithmetic: Arithmetic) -> Self {
        let weights = case.weights.seen(&mut arithmetic);
        let states = States::of(&weights, &case.x, case.labels, &mut arithmetic);
        Self { rule: case.rule, weights, states, arithmetic }
    }

    /// The credit of the topmost unit.
    pub(super) fn top(&mut self) -> Vec<f64> {
        match self.rule {
            Rule::Bp { .. } => self.states.p_last(&self.weights, &mut self.arithmetic),
            Rule::Fa { batch } => {
                let p = self.states.p_last(&self.weights, &mut self.arithmetic);
                p.into_iter().map(|p| self.arithmetic.store(p / batch, 1)).collect()
            }
            Rule::Dfa => self.direct(self.weights.feedback.len() - 1),
        }
    }

    /// The credit of `unit`, given that of the unit above it.
    pub(super) fn below(&mut self, unit: usize, above: &[f64]) -> Vec<f64> {
        match self.rule {
            // The gradient of CE + λΣ‖f‖²: block l's own penalty enters on the way down through block l.
            Rule::Bp { penalty } => {
                let f = &self.states.branches[unit].f;
                let arithmetic = &mut self.arithmetic;
                let with = |(a, f): (&f64, &f64)| arithmetic.store(a + 2.0 * penalty * f, 1);
                let s: Vec<f64> = above.iter().zip(f).map(with).collect();
                let mut below = self.states.through(&self.weights.blocks[unit], unit, &s, arithmetic);
                if self.weights.skip {
                    below.iter_mut().zip(above).for_each(|(b, a)| *b = arithmetic.store(*b + a, 1));
                }
                below
            }
            Rule::Fa { .. } => self.fed_back(unit, above),
            Rule::Dfa if unit == 0 => above.to_vec(),
            Rule::Dfa => self.direct(unit - 1),
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

    /// B·a with the feedback matrix of that index.
    pub(super) fn fed_back(&mut self, matrix: usize, above: &[f64]) -> Vec<f64> {
        let credit = self.weights.feedback[matrix].apply(above);
        self.stored(credit)
    }

    /// Bᵀ·a, for square matrices.
    pub(super) fn fed_back_transposed(&mut self, matrix: usize, above: &[f64]) -> Vec<f64> {
        let credit = self.weights.feedback[matrix].apply_transposed(above);
        self.stored(credit)
    }

    /// B·e_T.
    pub(super) fn direct(&mut self, matrix: usize) -> Vec<f64> {
        let credit = self.weights.feedback[matrix].apply(&self.states.e);
        self.stored(credit)
    }

    fn stored(&mut self, mut credit: Vec<f64>) -> Vec<f64> {
        self.arithmetic.store_all(&mut credit, 1);
        credit
    }

    /// Number of feedback matrices.
    pub(super) fn matrices(&self) -> usize {
        self.weights.feedback.len()
    }
}
