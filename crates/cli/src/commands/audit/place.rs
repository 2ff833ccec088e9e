//! Where units stand: at the state that their credit acts at, which their name says. A dump may lack some of them, so
//! their number in the list says nothing.

use record::audit::{Audit, UnitAudit};

/// The state of a unit: `embed` acts at h_0, `block l` at h_{l+1}.
fn state_of(unit: &str) -> Option<usize> {
    match unit.strip_prefix("block ") {
        Some(block) => block.parse::<usize>().ok().map(|block| block + 1),
        None => (unit == "embed").then_some(0),
    }
}

/// The units of an audit, each with the state that it acts at.
fn placed(audit: &Audit) -> impl Iterator<Item = (usize, &UnitAudit)> {
    audit.units.iter().enumerate().map(|(index, unit)| (state_of(&unit.unit).unwrap_or(index), unit))
}

/// The unit that acts at a state.
pub(super) fn unit_at(audit: &Audit, state: usize) -> Option<&UnitAudit> {
    placed(audit).find(|(place, _)| *place == state).map(|(_, unit)| unit)
}

/// How many states there are, and units at the end whose states are missing.
pub(super) fn states(audit: &Audit) -> usize {
    placed(audit).map(|(place, _)| place + 1).max().unwrap_or(0).max(audit.states.len())
}

/// What stands at a state is named after the unit; a state without one has only sizes, and its own name.
pub(super) fn name_at(audits: &[&Audit], state: usize) -> String {
    let unit = audits.iter().find_map(|audit| unit_at(audit, state));
    unit.map_or_else(|| format!("h_{state}"), |unit| unit.unit.clone())
}
