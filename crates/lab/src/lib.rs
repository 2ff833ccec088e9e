//! Experiments: recipes, the training loop, its events, checkpoints and run directories.
//!
//! Data flows one way. A [`Recipe`] becomes a [`Plan`] of [`RunSpec`]s; [`run_all`] trains them, one run per core. The training
//! loop emits [`Event`]s and does not know its [`Listener`]s. One of them writes the run directory, another may draw a progress
//! bar.

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

pub use self::audit::{AuditOptions, Audited, Sweep, audit_runs, audits_json};
pub use clock::{machine, now};
pub use cost::{Cost, Speed, fits_memory};
pub use data_sets::DataSets;
pub use error::Error;
pub(crate) use execution::run_with;
pub use execution::{Endings, MakeListeners, Options, run_all, run_one};
pub use plan::{Plan, Shard};
pub use pool::side_by_side;
pub use recipe::{
    AuditPlan, Identity, Incomparable, Key, Kind, Preset, Recipe, RunSpec, Schema, Template, plain_name,
    template, training_keys,
};
pub use record::nearest;
pub use store::{Asked, Checkpoint, Restored, RunDirectory, Shelf, is_trained, outcome};
pub use train::{Event, Interrupt, Listener, NUMERICS, Position, RequestGuard, Schedule, train};
