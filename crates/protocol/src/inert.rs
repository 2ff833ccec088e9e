//! Whether a step that training can take changes the loss. A unit where it does not is inert, however exact its reference is.

use crate::THRESHOLDS;
use record::audit::{Effect, Evidence, Moved, State, Thresholds, UnitAudit};

/// The limit for a step of the state, in parts of that for a step of the parameters. Such a step is about what a step of W2 does;
/// W1 and LayerNorm reach further. Where both were measured, fa's blocks were at 1.6e-4 by one and 3e-3 by the other, dfa's at 1.3e-6
/// and 2e-4 (CIFAR-10, 8 epochs).
const OF_STATE: f64 = 0.01;

/// The share of the loss below which a step has no effect.
pub fn inert_limit(moved: Moved, limits: &Thresholds) -> Option<f64> {
    let limit = limits.inert.or(THRESHOLDS.inert)?;
    Some(match moved {
        Moved::Parameters => limit,
        Moved::State => OF_STATE * limit,
    })
}

/// Whether a unit is inert: a step along the true gradient changes the loss by less than the stated share of it. None where no
/// step was taken.
///
/// ```
/// use protocol::{THRESHOLDS, inert};
/// use record::audit::{Effect, Moved};
/// let effect = |share| Some(Effect { moved: Moved::Parameters, step: 1e-3, share });
/// assert_eq!(inert(effect(-0.02), &THRESHOLDS), Some(false));
/// assert_eq!(inert(effect(-2e-9), &THRESHOLDS), Some(true));
/// assert_eq!(inert(None, &THRESHOLDS), None);
/// ```
pub fn inert(effect: Option<Effect>, limits: &Thresholds) -> Option<bool> {
    let effect = effect?;
    Some(effect.share.abs() < inert_limit(effect.moved, limits)?)
}

/// What the longest nudge along the true gradient does to a mean loss of `loss`: the ruler where there are no weights to move.
pub fn nudge_effect(evidence: &Evidence, loss: f64) -> Option<Effect> {
    let nudge = evidence.nudges.last()?;
    let share = nudge.gradient.value()? / loss;
    share.is_finite().then_some(Effect { moved: Moved::State, step: nudge.eta, share })
}

/// Fills in the effect of the longest nudge where no other was measured.
pub fn assess(unit: &mut UnitAudit, loss: Option<f64>) {
    let nudged = || nudge_effect(unit.here.as_ref()?, loss?);
    unit.effect = unit.effect.or_else(nudged);
}

/// ‖p‖·‖h‖ at a state, the change of the loss per relative change of the state: its median, or in files of before that was
/// written down, the product of the medians.
pub fn sensitivity(state: &State) -> Option<f64> {
    state.sensitivity.or_else(|| Some(state.gradient? * state.hidden?))
}
