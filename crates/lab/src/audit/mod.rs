//! Audits of run directories: loads the files and passes them to crate `audit`.

mod asked;
mod basis;
mod evidence;
mod likeness;
mod log;
mod options;
mod set;
mod subject;
mod whole;

pub use options::AuditOptions;
pub use set::{Audited, Sweep, audit_runs, audits_json};
