//! The catalogue: every figure by name, one file each.

mod audit_hero;
mod choose;
mod cifar_accuracy;
mod cifar_diagnostics;
mod cifar_drift;
mod cifar_state_vs_credit;
mod cifar_summary;
mod crossarch;
mod curves;
mod dissociation;
mod lambda_sweep;
mod layers;
mod list;
mod meaning;
mod nulls;
mod penalty_rescue;
mod plain;
mod request;
mod sentences;
mod series;
mod verdicts;

pub use list::{Entry, FIGURES, find, suggestions};
pub use request::{CatalogueError, Drawing, Request};
