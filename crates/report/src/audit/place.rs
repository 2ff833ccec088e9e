//! Rows of the tables: a state with the unit whose output it is. A dump may lack units, so their number in the list says nothing.

use record::audit::{Audit, UnitAudit};

/// The unit that acts at a state.
pub(super) fn unit_at(audit: &Audit, state: usize) -> Option<&UnitAudit> {
    audit.units.iter().find(|unit| unit.unit.state() == state)
}

/// How many states there are, and units at the end whose states are missing.
pub(super) fn states(audit: &Audit) -> usize {
    audit.units.iter().map(|unit| unit.unit.state() + 1).max().unwrap_or(0).max(audit.states.len())
}

/// A row is named after its unit; a state without one has only sizes, and its own name.
pub(super) fn name_at(audits: &[&Audit], state: usize) -> String {
    let unit = audits.iter().find_map(|audit| unit_at(audit, state));
    unit.map_or_else(|| format!("h_{state}"), |unit| unit.unit.to_string())
}
