//! Audits that were kept in a file. Their numbers are read; what is said about them is decided anew.

use crate::{assess, gamma, standing, warnings};
use record::audit::{Audit, Evidence, State, Subject, UnitAudit};
use record::series::{COSINE, COSINE_AT_INPUT, Quantity};
use record::{Error, Evaluation, Measured, Run, Why};

/// Cosine of one gradient, computed twice, below which the two disagree.
pub const SAME_GRADIENT: f64 = 0.99;

/// The audit of a run directory, judged anew.
pub fn kept_audit(run: &Run) -> Result<Option<Audit>, Error> {
    let loss = |audit: &Audit| {
        let last = run.last().filter(|last| audit.epoch == Some(last.epoch));
        last.map(|last| last.test.loss)
    };
    Ok(run.audit()?.map(|audit| {
        let loss = loss(&audit);
        judge_again(audit, loss)
    }))
}

/// Judges the units of an audit anew from their evidence; `loss` is the mean loss that nudges are a share of, where it is known.
/// Dumps and logs stay as they are: their gradients have no other precision that could confirm them.
pub fn judge_again(mut audit: Audit, loss: Option<f64>) -> Audit {
    if !matches!(audit.subject, Subject::Run { checkpoint: Some(_), .. }) {
        return audit;
    }
    let limits = audit.settings.thresholds;
    for (l, unit) in audit.units.iter_mut().enumerate() {
        confirm(unit.at_input.as_mut(), l.checked_sub(1).and_then(|below| audit.states.get(below)));
        confirm(unit.here.as_mut(), audit.states.get(l));
        assess(unit, loss);
        if let Some(here) = &unit.here {
            (unit.standing, unit.notes) = standing(here, &limits);
        }
    }
    audit.gamma = gamma(&audit.units);
    audit.warnings.retain(|warning| !warnings::is_of_units(warning));
    if !audit.subject.is_frozen() {
        audit.warnings.extend(warnings::of_units(&audit.units, audit.settings.step));
    }
    audit
}

/// Whether the f32 gradient at a state has the direction of the f64 one.
pub fn is_confirmed(state: &State) -> bool {
    state.precisions.is_some_and(|cosine| cosine >= SAME_GRADIENT)
}

/// A gradient below the floor that f64 confirms is a sound reference.
fn confirm(evidence: Option<&mut Evidence>, state: Option<&State>) {
    if let Some(evidence) = evidence
        && let Measured::Unreliable { value, why: Why::ReferenceBelowFloor } = evidence.cosine
        && let Some(precisions) = state.and_then(|state| state.precisions)
    {
        evidence.cosine = judged_by(value, Some(precisions));
    }
}

/// The logged cosines of an evaluation, each [`confirmed`] by these units of an audit after the same epoch.
pub fn confirm_log(evaluation: &mut Evaluation, units: &[UnitAudit]) {
    // The embedding has no input.
    let here = units.iter().map(|unit| unit.here.as_ref());
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
