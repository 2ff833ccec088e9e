//! Trains the runs of a shard.
//!
//! A run that fails ends alone. A run that another attempt is at work on is left to it, and looked at again when all others are
//! done. Being asked to stop, for whatever reason, means: save and leave.

mod claim;
mod heart;
mod place;
mod shard;
mod task;

pub use shard::{Shard, WorkOptions, Worked, work};

use record::Status;

/// How a run of a shard came out.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is over.
    Over(Status),
    /// Saved, or not begun, since the worker was asked to stop.
    Interrupted,
    /// An error.
    Failed(String),
    /// Another attempt is at work on it.
    LeftTo(String),
    /// Not begun, since too many runs failed before it.
    NotTried,
}
