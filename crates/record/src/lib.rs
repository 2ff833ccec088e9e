//! The written word: what a run leaves on disk, under a version, with where it came from. No computation happens
//! here, so that figures, reports and other programs can depend on this crate alone.

pub mod atomic;
mod cosine;
mod directory;
mod epoch;
mod error;
mod number;
mod run;
pub mod source;

pub use cosine::{Cosine, Why};
pub use directory::{Run, find_runs, flatten};
pub use epoch::{Epoch, Evaluation, Score};
pub use error::Error;
pub use run::{Machine, NetworkFacts, Provenance, RunRecord, Status};
