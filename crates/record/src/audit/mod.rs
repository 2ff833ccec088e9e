//! `audit.json`: what an audit found, unit by unit, with the evidence and the settings it was measured under.

mod carried;
mod check;
mod consistency;
mod evidence;
mod file;
mod group;
mod set;
mod subject;
mod thresholds;
mod warning;

pub use carried::Carried;
pub use check::{CheckId, CheckResult, Outcome, Verdict};
pub use consistency::{Consistency, Fault, Finding, Site};
pub use evidence::{
    Effect, Evidence, MeanCredit, Moved, Nudge, Null, NullKind, Place, Quantity, ReferenceTest, Rho,
    Standing, State, UnitAudit,
};
pub use file::{Audit, Gamma, GammaMean, Settings};
pub use group::{Group, Pair, Series};
pub use set::AuditSet;
pub use subject::{Modifiers, Subject};
pub use thresholds::Thresholds;
pub use warning::Warning;
