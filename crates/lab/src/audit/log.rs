//! What a run's log contains, without measuring anything.

use protocol::{assess, confirmed, standing};
use record::audit::{Evidence, State, Thresholds, UnitAudit};
use record::{Epoch, Measured, Unit};

/// States in the last epoch.
pub(super) fn states(epoch: &Epoch) -> Vec<State> {
    let e = &epoch.evaluation;
    let state = |(hidden, gradient): (f64, f64)| State {
        hidden: Some(hidden),
        gradient: Some(gradient),
        ..State::default()
    };
    e.hidden().into_iter().zip(e.gradient()).map(state).collect()
}

/// Units in the last epoch: cosines over all its samples, and ρ, nudge and nulls if it was audited.
pub(super) fn units(epoch: &Epoch, limits: &Thresholds) -> Vec<UnitAudit> {
    let e = &epoch.evaluation;
    let credit = e.credit();
    let unit = |(index, &cosine): (usize, &Measured)| {
        let seen = epoch.audit.as_ref().and_then(|audit| audit.units.get(index));
        let here = with(seen.and_then(|unit| unit.here.as_ref()), cosine);
        let at_input = index.checked_sub(1).and_then(|l| e.cosine_at_input().get(l));
        let at_input = at_input.map(|&cosine| with(seen.and_then(|unit| unit.at_input.as_ref()), cosine));
        let (standing, notes) = standing(&here, limits);
        let mut unit = UnitAudit {
            unit: Unit::at(index),
            credit: credit.get(index).copied(),
            here: Some(here),
            at_input,
            drift: None,
            mean_credit: seen.map(|unit| unit.mean_credit.clone()).unwrap_or_default(),
            effect: seen.and_then(|unit| unit.effect),
            standing,
            notes,
        };
        assess(&mut unit, Some(epoch.test.loss));
        unit
    };
    e.cosine().iter().enumerate().map(unit).collect()
}

fn with(seen: Option<&Evidence>, cosine: Measured) -> Evidence {
    let cosine = confirmed(cosine, seen);
    let bare = Evidence {
        cosine,
        estimate: None,
        spread: None,
        torch: None,
        rho: None,
        nudges: vec![],
        nulls: vec![],
    };
    // Spread and clamped cosine use fewer samples than this cosine, so they do not belong to it.
    seen.map_or(bare, |seen| Evidence { cosine, estimate: None, spread: None, torch: None, ..seen.clone() })
}
