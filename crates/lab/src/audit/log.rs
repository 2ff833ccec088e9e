//! What the log of a run tells without measuring anything anew.

use audit::{Moment, Thresholds, growth, standing, unit_name};
use record::audit::{Evidence, State, UnitAudit};
use record::{Epoch, Measured, Run};

/// Growth, gradient and error after each epoch.
pub(super) fn history(run: &Run) -> Vec<Moment> {
    run.epochs.iter().map(moment).collect()
}

fn moment(epoch: &Epoch) -> Moment {
    let e = &epoch.evaluation;
    Moment {
        epoch: epoch.epoch,
        growth: Some(e.growth),
        gradient: e.gradient.last().map(|p| p / Thresholds::FLOOR_SAMPLES as f64),
        error: Some(e.error),
    }
}

/// States as the last epoch saw them.
pub(super) fn states(epoch: &Epoch) -> Vec<State> {
    let e = &epoch.evaluation;
    let state = |(&hidden, &gradient): (&f64, &f64)| State {
        hidden: Some(hidden),
        gradient: Some(gradient),
        ..State::default()
    };
    e.hidden.iter().zip(&e.gradient).map(state).collect()
}

/// Units as the last epoch saw them: cosines over all its samples, and ρ, nudge and nulls where it was audited.
pub(super) fn units(epoch: &Epoch) -> Vec<UnitAudit> {
    let e = &epoch.evaluation;
    let unit = |(index, &cosine): (usize, &Measured)| {
        let seen = epoch.audit.as_ref().and_then(|audit| audit.units.get(index));
        let here = with(seen.and_then(|unit| unit.here.as_ref()), cosine);
        let paper = index.checked_sub(1).and_then(|l| e.cosine_paper.get(l));
        let paper = paper.map(|&cosine| with(seen.and_then(|unit| unit.paper.as_ref()), cosine));
        let (standing, notes) = standing(&here);
        let credit = e.credit.get(index).copied();
        UnitAudit { unit: unit_name(index), credit, here: Some(here), paper, drift: None, standing, notes }
    };
    e.cosine.iter().enumerate().map(unit).collect()
}

fn with(seen: Option<&Evidence>, cosine: Measured) -> Evidence {
    let bare = Evidence { cosine, spread: None, torch: None, rho: None, nudges: vec![], nulls: vec![] };
    // Spread and clamped cosine are over fewer samples than this cosine, and would not belong to it.
    seen.map_or(bare, |seen| Evidence { cosine, spread: None, torch: None, ..seen.clone() })
}

/// Growth as the states show it.
pub(super) fn state_growth(states: &[State]) -> Option<f64> {
    let hidden: Option<Vec<f64>> = states.iter().map(|state| state.hidden).collect();
    hidden.map(|hidden| growth(&hidden))
}
