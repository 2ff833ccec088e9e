//! Audits of run directories: what is on disk, loaded again and handed to crate `audit`.

mod basis;
mod evidence;
mod likeness;
mod log;
mod options;
mod set;
mod subject;
mod whole;

pub use options::AuditOptions;
pub use set::{Audited, Sweep, audit_runs};
