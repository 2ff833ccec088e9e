//! The laboratory: recipes, the training loop, its events, checkpoints and run directories.
//!
//! Data flows one way. A [`Recipe`] becomes [`RunSpec`]s; [`run_all`] trains them, one run a core; the training loop
//! emits [`Event`]s and knows none of its [`Listener`]s; one of those writes the run directory, another may draw a
//! progress bar.

mod audit;
mod clock;
mod cost;
mod error;
mod recipe;
mod schedule;
pub mod selftest;
mod store;
pub mod study;
mod train;

pub use self::audit::{AuditOptions, Audited, audit_runs};
pub use cost::{Cost, Speed};
pub use error::Error;
pub use recipe::{AuditPlan, KEYS, Key, Kind, Preset, Recipe, RunSpec, Schedule, template};
pub(crate) use schedule::run_with;
pub use schedule::{Ending, MakeListener, Options, enough_memory, run_all};
pub use store::{Checkpoint, Restored, RunDirectory};
pub use train::{Event, Interrupt, Listener, Outcome, Position, train};
