//! Audits that were kept in a file. Their numbers are read; what is said about them is decided anew.

use crate::reliability::confirm;
use crate::{assess, gamma, standing, warnings};
use record::audit::{Audit, Subject};
use record::{Error, Run};

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
