//! Rules that are broken in one place. Their names and saved tensors are those of the healthy rule.

use super::Planted;
use crate::RunSpec;
use nn::{Architecture, Net, Network, Tape};
use rules::{AfterStep, Lesson, Rule, Saved, Seen};
use tensor::add_scaled;

/// Backpropagation with one unit's credit broken.
pub(super) struct BrokenBp(pub(super) Planted);

impl BrokenBp {
    /// p at h_index, from the top down.
    fn gradient(seen: &Seen<'_, f32, Net>, index: usize) -> Vec<f32> {
        let blocks = seen.net.shape().blocks;
        // The products need the tape's scratch, and a rule may only look at the tape.
        let (mut tape, mut p) = (seen.tape.clone(), seen.p_last.to_vec());
        for l in (index..blocks).rev() {
            let mut below = vec![0.0; p.len()];
            tape.signal_mut(l + 1).0.copy_from_slice(&p);
            seen.net.branch_vjp(seen.params, l, &mut tape, Some(&mut below));
            if seen.net.skip(l) {
                add_scaled(&mut below, 1.0, &p);
            }
            p = below;
        }
        p
    }

    fn of_unit(&self, seen: &Seen<'_, f32, Net>, index: usize, credit: &mut [f32]) {
        credit.copy_from_slice(&Self::gradient(seen, index));
        match self.0 {
            Planted::CreditZeroed(unit) if unit == index => credit.fill(0.0),
            Planted::SignFlipped(unit) if unit == index => credit.iter_mut().for_each(|a| *a = -*a),
            Planted::NeighboursCredit(unit) if unit == index => {
                credit.copy_from_slice(&Self::gradient(seen, index + 1));
            }
            Planted::SamplesShuffled(unit) if unit == index => {
                let width = credit.len() / seen.labels.len();
                credit.rotate_right(width);
            }
            _ => {}
        }
    }
}

impl Rule<f32, Net> for BrokenBp {
    fn name(&self) -> &'static str {
        "bp"
    }

    fn normalised(&self) -> bool {
        false
    }

    fn credit(&self, seen: &Seen<'_, f32, Net>, credit: &mut [Vec<f32>], _: Option<&mut Lesson<f32>>) {
        credit.iter_mut().enumerate().for_each(|(index, credit)| self.of_unit(seen, index, credit));
    }

    fn redrawn(&self, _net: &Net, _params: &[f32], _seed: u64) -> Option<Box<dyn Rule<f32, Net>>> {
        None
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
        let (honest, mut used) = (build()?, build()?);
        let matrices: &mut [Saved<f32>] = used.saved_mut();
        match planted {
            Planted::FeedbackNegated(matrix) => matrices[matrix].values.iter_mut().for_each(|b| *b = -*b),
            Planted::OtherFeedback(other, own) => matrices[own].values = matrices[other].values.clone(),
            Planted::FeedbackTransposed(matrix) => {
                let (d, old) = (matrices[matrix].shape[0], matrices[matrix].values.clone());
                matrices[matrix].values = (0..d * d).map(|i| old[i % d * d + i / d]).collect();
            }
            _ => {}
        }
        Ok(Self { honest, used, planted })
    }
}

impl Rule<f32, Net> for BrokenFeedback {
    fn name(&self) -> &'static str {
        self.honest.name()
    }

    fn credit(&self, seen: &Seen<'_, f32, Net>, credit: &mut [Vec<f32>], lesson: Option<&mut Lesson<f32>>) {
        self.used.credit(seen, credit, lesson);
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
