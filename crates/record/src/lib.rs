//! The written word: what a run leaves on disk, under a version, with where it came from. No computation happens
//! here, so that figures, reports and other programs can depend on this crate alone.

pub mod audit;
pub mod bounded;
mod directory;
pub mod durable;
mod epoch;
mod error;
pub mod escape;
mod flat;
mod log;
mod measured;
pub mod normalise;
mod number;
mod remedy;
pub mod route;
pub mod rules;
mod run;
pub mod series;
mod spelling;
mod stamp;
mod tail;
mod unit;
mod versioned;

pub use directory::{Run, epochs_asked, find_runs, flatten};
pub use epoch::{Epoch, EpochAudit, Evaluation, Score};
pub use error::Error;
pub use log::last_epoch;
pub use measured::{Measured, Why};
pub use remedy::Remedy;
pub use run::{Elsewhere, Machine, NetworkFacts, Provenance, RunRecord, Status};
pub use series::Series;
pub use spelling::nearest;
pub use stamp::Stamp;
pub use tail::{News, Tail};
pub use unit::{NoUnit, Unit};
pub use versioned::versioned;
