//! When a cosine is reliable: the gradient it is compared with has the same direction in f32 and f64. A gradient below the floor
//! is unreliable unless f64 confirms it.

use record::audit::{Evidence, State, UnitAudit};
use record::series::{COSINE, COSINE_AT_INPUT, Quantity};
use record::{Evaluation, Measured, Why};

/// Cosine of one gradient, computed twice, below which the two disagree.
pub const SAME_GRADIENT: f64 = 0.99;

/// Whether the f32 gradient at a state has the direction of the f64 one.
pub fn is_confirmed(state: &State) -> bool {
    state.precisions.is_some_and(|cosine| cosine >= SAME_GRADIENT)
}

/// A gradient below the floor that f64 confirms is a sound reference.
pub(crate) fn confirm(evidence: Option<&mut Evidence>, state: Option<&State>) {
    if let Some(evidence) = evidence
        && let Measured::Unreliable { value, why: Why::ReferenceBelowFloor } = evidence.cosine
        && let Some(precisions) = state.and_then(|state| state.precisions)
    {
        evidence.cosine = judged_by(value, Some(precisions));
    }
}

/// A logged cosine, which is in f32, and the evidence of an audit on the same weights, which is in f64: a gradient below the floor
/// that the audit confirms is a sound reference.
pub fn confirmed(logged: Measured, audited: Option<&Evidence>) -> Measured {
    match logged {
        Measured::Unreliable { value, why: Why::ReferenceBelowFloor }
            if audited.is_some_and(|evidence| evidence.cosine.defined().is_some()) =>
        {
            Measured::Defined { value }
        }
        other => other,
    }
}

/// The logged cosines of an evaluation, each [`confirmed`] by these units of an audit after the same epoch.
pub fn confirm_log(evaluation: &mut Evaluation, units: &[UnitAudit]) {
    let here = units.iter().map(|unit| unit.here.as_ref());
    // The embedding has no input.
    let at_input = units.iter().skip(1).map(|unit| unit.at_input.as_ref());
    confirm_series(evaluation, &COSINE, here);
    confirm_series(evaluation, &COSINE_AT_INPUT, at_input);
}

fn confirm_series<'a>(
    evaluation: &mut Evaluation,
    quantity: &Quantity,
    audited: impl Iterator<Item = Option<&'a Evidence>>,
) {
    let logged = evaluation.series.get_mut(quantity.name).map(|series| &mut series.values);
    for (cosine, evidence) in logged.into_iter().flatten().zip(audited) {
        *cosine = confirmed(*cosine, evidence);
    }
}

/// A cosine with its reliability, given how far the gradients of both precisions agree.
///
/// ```
/// use record::{Measured, Why};
/// assert_eq!(protocol::judged_by(0.5, Some(1.0)), Measured::Defined { value: 0.5 });
/// let why = Why::PrecisionsDisagree;
/// assert_eq!(protocol::judged_by(0.5, Some(0.9)), Measured::Unreliable { value: 0.5, why });
/// ```
pub fn judged_by(value: f64, precisions: Option<f64>) -> Measured {
    match precisions {
        Some(cosine) if cosine < SAME_GRADIENT => {
            Measured::Unreliable { value, why: Why::PrecisionsDisagree }
        }
        _ => Measured::Defined { value },
    }
}
