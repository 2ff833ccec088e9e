//! Rules with one fault. Their saved tensors are those of the healthy rule.

use super::Planted;
use crate::RunSpec;
use nn::Net;
use rules::{AfterStep, BatchView, Credit, Given, Gives, Rule, Saved, carry_down};

/// Backpropagation with one unit's credit broken.
pub(super) struct BrokenBp(pub(super) Planted);

impl Gives<f32, Net> for BrokenBp {
    fn give(&self, batch: &BatchView<'_, f32, Net>, given: Given<'_, f32>) {
        // The products need the tape's scratch memory, and a rule may only read the tape.
        let mut tape = batch.tape.clone();
        let p = carry_down(batch.net, batch.params, &mut tape, batch.p_last.to_vec());
        given.credit.iter_mut().zip(&p).for_each(|(credit, p)| credit.copy_from_slice(p));
        match self.0 {
            Planted::CreditZeroed(unit) => given.credit[unit].fill(0.0),
            Planted::SignFlipped(unit) => given.credit[unit].iter_mut().for_each(|a| *a = -*a),
            Planted::NeighboursCredit(unit) => given.credit[unit].copy_from_slice(&p[unit + 1]),
            Planted::SamplesShuffled(unit) => {
                let width = given.credit[unit].len() / batch.labels.len();
                given.credit[unit].rotate_right(width);
            }
            _ => {}
        }
    }
}

impl Rule<f32, Net> for BrokenBp {
    fn credit(&self) -> Credit<'_, f32, Net> {
        Credit::Given(self)
    }
}

/// A rule that saves one feedback and uses another.
pub(super) struct BrokenFeedback {
    honest: Box<dyn Rule<f32, Net>>,
    used: Box<dyn Rule<f32, Net>>,
    planted: Planted,
}

impl BrokenFeedback {
    pub(super) fn new(spec: &RunSpec, params: &[f32], planted: Planted) -> Result<Self, rules::Error> {
        let build = || rules::build(&spec.rule, &spec.net, params, spec.seed);
        let honest = build()?;
        let mut used = build()?;
        let matrices: &mut [Saved<f32>] = used.saved_mut();
        match planted {
            Planted::FeedbackNegated(matrix) => matrices[matrix].values.iter_mut().for_each(|b| *b = -*b),
            Planted::OtherFeedback(other, own) => matrices[own].values = matrices[other].values.clone(),
            Planted::FeedbackTransposed(matrix) => {
                let d = matrices[matrix].shape[0];
                let old = matrices[matrix].values.clone();
                matrices[matrix].values = (0..d * d).map(|i| old[i % d * d + i / d]).collect();
            }
            _ => {}
        }
        Ok(Self { honest, used, planted })
    }
}

impl Rule<f32, Net> for BrokenFeedback {
    fn credit(&self) -> Credit<'_, f32, Net> {
        self.used.credit()
    }

    fn redrawn(&self, net: &Net, params: &[f32], seed: u64) -> Option<Box<dyn Rule<f32, Net>>> {
        self.honest.redrawn(net, params, seed)
    }

    fn saved(&self) -> &[Saved<f32>] {
        self.honest.saved()
    }

    fn saved_mut(&mut self) -> &mut [Saved<f32>] {
        self.honest.saved_mut()
    }

    fn after_step(&mut self, step: &mut AfterStep<'_, f32, Net>) {
        let redraw = |rule: &mut Box<dyn Rule<f32, Net>>| {
            if let Some(fresh) = rule.redrawn(step.net, step.params, step.t) {
                *rule = fresh;
            }
        };
        if matches!(self.planted, Planted::FeedbackRedrawn | Planted::FeedbackRedrawnUnsaved) {
            redraw(&mut self.used);
        }
        if self.planted == Planted::FeedbackRedrawn {
            redraw(&mut self.honest);
        }
    }
}
