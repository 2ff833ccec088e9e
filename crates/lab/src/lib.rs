//! The laboratory: recipes, the training loop, its events, checkpoints and run directories.
//!
//! Data flows one way. A [`Recipe`] becomes a [`Plan`] of [`RunSpec`]s; [`run_all`] trains them, one run per core; the training loop
//! emits [`Event`]s and knows none of its [`Listener`]s; one of those writes the run directory, another may draw a
//! progress bar.

mod audit;
mod clock;
mod cost;
mod data_sets;
mod error;
mod execution;
mod plan;
mod pool;
mod recipe;
pub mod selftest;
mod store;
mod train;

pub use self::audit::{AuditOptions, Audited, Sweep, audit_runs};
pub use cost::{Cost, Speed};
pub use data_sets::DataSets;
pub use error::Error;
pub(crate) use execution::run_with;
pub use execution::{Endings, MakeListeners, Options, run_all};
pub use plan::{Plan, Shard};
pub use recipe::{
    AuditPlan, Identity, Incomparable, Key, Kind, Preset, Recipe, RunSpec, Schema, Template, template,
    training_keys,
};
pub use store::{Checkpoint, Restored, RunDirectory, Shelf, is_trained};
pub use train::{Event, Heeding, Interrupt, Listener, NUMERICS, Position, Schedule, train};
