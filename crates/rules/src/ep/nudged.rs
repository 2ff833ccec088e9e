//! a_l = −(h_{l+1} − h_l − f_l(h_l))/β and a_embed = −(h_0 − embed(x))/β at the nudged state. This tends to p as β → 0.
//!
//! The displacement −(h_nudged − h_free)/β, which is sometimes used instead, accumulates over depth and does not tend to p.
//! `rule.credit` chooses; the displacement is also what published figures compare at a block's input.

use super::relaxation::{Relaxed, relax};
use crate::definition::Definition;
use crate::keys::POSITIVE;
use crate::normalise::NORMALISE;
use crate::{BatchView, Credit, Given, Gives, KeyKind, Report, Rule, RuleKey, RuleSpec, Value};
use nn::{Network, Tape};
use tensor::Float;

const BETA: RuleKey = RuleKey::new("rule.beta", POSITIVE, Value::Real(0.01), "Strength of the nudge.");
const RELATIVE: RuleKey = RuleKey::new(
    "rule.relative_nudge",
    KeyKind::Flag,
    Value::Flag(true),
    "Beta is in units of each sample's |h_L|/|p_L|, so that the nudge is a share of the state.",
);
const STEPS: RuleKey = RuleKey::new(
    "rule.relax_steps",
    KeyKind::Whole(1, 1 << 20),
    Value::Whole(100),
    "Maximum number of steps in the nudged phase.",
);
const TOLERANCE: RuleKey = RuleKey::new(
    "rule.relax_tolerance",
    POSITIVE,
    Value::Real(0.001),
    "The nudged phase ends when the energy's gradient is below this share of the nudge.",
);
const CREDIT: RuleKey = RuleKey::new(
    "rule.credit",
    KeyKind::Word(&["residual", "displacement"]),
    Value::Word("residual"),
    "What a unit learns from: its own imbalance in the nudged phase, or how far its output moved.",
);

/// Equilibrium propagation. Nothing in it is random.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ep {
    /// Strength of the nudge, β.
    pub(super) beta: f64,
    /// Whether β is meant in units of each sample's ‖h_L‖/‖p_L‖, so that the nudge moves a state by a share of its size. In f32
    /// a nudge of fixed strength drowns in rounding as soon as the states are large or the gradient small.
    pub(super) relative: bool,
    /// Maximum number of steps in the nudged phase.
    pub(super) steps: usize,
    /// It ends where the gradient of the energy is below this share of the nudge.
    pub(super) tolerance: f64,
    /// Whether credit is the displacement of a unit's output instead of its residual.
    displacement: bool,
}

impl Ep {
    fn new(spec: &RuleSpec) -> Self {
        Self {
            beta: spec.real(BETA.name),
            relative: spec.flag(RELATIVE.name),
            steps: spec.size(STEPS.name),
            tolerance: spec.real(TOLERANCE.name),
            displacement: spec.word(CREDIT.name) == "displacement",
        }
    }
}

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        keys: &[BETA, RELATIVE, STEPS, TOLERANCE, CREDIT, NORMALISE],
        unfit: |net| {
            let tied = net.couples_samples();
            tied.then_some("its energy is defined per sample, but this network normalises over the batch")
        },
        // With the default settings, four passes converge. Each goes up once, and down twice: for the slope and for the excess.
        work: |spec, _, inner| spec.size(STEPS.name).min(4) as f64 * 3.0 * inner,
        ..Definition::new(
            "a_l = −(h_{l+1} − h_l − f_l(h_l)) / β,   a_embed = −(h_0 − embed(x)) / β\n\
             at the states that minimise E + β·loss,\n\
             E = ½‖h_0 − embed(x)‖² + ½Σ‖h_{l+1} − h_l − f_l(h_l)‖²",
            "It tends to p as β → 0. With rule.credit at displacement it is −(h_nudged − h_free)/β at the \
             unit's output, which does not. Scellier and Bengio, 2017.",
            |spec, _, _, _| Box::new(Ep::new(spec)),
        )
    }
}

/// −values/β, sample by sample.
fn per_nudge<T: Float>(mut values: Vec<T>, beta: &[T]) -> Vec<T> {
    let width = values.len() / beta.len();
    for (row, &beta) in values.chunks_exact_mut(width).zip(beta) {
        // A sample without gradient was not nudged and did not move.
        let factor = if beta > T::ZERO { T::of(-1.0) / beta } else { T::ZERO };
        row.iter_mut().for_each(|x| *x *= factor);
    }
    values
}

impl<T: Float, N: Network<T>> Gives<T, N> for Ep {
    fn give(&self, batch: &BatchView<'_, T, N>, given: Given<'_, T>) {
        let Relaxed { h, excess, beta, steps, at_rest } = relax(batch, self);
        let moved = |(l, h): (usize, Vec<T>)| {
            per_nudge(h.iter().zip(batch.tape.hidden(l)).map(|(&h, &free)| h - free).collect(), &beta)
        };
        let displacement: Vec<Vec<T>> = h.into_iter().enumerate().map(moved).collect();
        for (l, (credit, excess)) in given.credit.iter_mut().zip(excess).enumerate() {
            if self.displacement {
                credit.copy_from_slice(&displacement[l]);
            } else {
                credit.copy_from_slice(&per_nudge(excess, &beta));
            }
        }
        let Some(report) = given.report else { return };
        let n = batch.labels.len() as f64;
        let at_rest = at_rest.iter().filter(|&&rest| rest).count() as f64;
        let steps = steps.iter().sum::<usize>() as f64;
        *report = Report {
            at_input: Some(displacement),
            notes: vec![("relaxation_steps", steps / n), ("relaxed_share", at_rest / n)],
        };
    }

    fn everywhere(&self) -> bool {
        true
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Ep {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Given(self)
    }
}
