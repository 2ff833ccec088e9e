//! The state of every run, from files first.

mod derive;
mod report;

pub use report::{Report, survey};

use std::time::Duration;

/// A run and its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunState {
    /// Its name.
    pub id: String,
    /// Its rule.
    pub rule: String,
    /// Its seed.
    pub seed: u64,
    /// Epochs asked for.
    pub epochs: u64,
    /// Its state.
    pub state: State,
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It is over, as its directory says.
    Done {
        /// Why it was given up, if it was: training on cannot mend that.
        stopped: Option<String>,
    },
    /// Somebody is at work on it.
    Running {
        /// Where.
        node: String,
        /// Epochs completed.
        epoch: Option<u64>,
        /// Time since the last sign of life.
        seen: Duration,
        /// Whether the signs of life stopped though the queue says that its shard is at work.
        silent: bool,
    },
    /// Its shard is in the queue, or is at work on another run.
    Queued {
        /// Why it waits.
        why: Wait,
    },
    /// It was asked to stop and is saved; nobody is at work on it.
    Interrupted {
        /// Epochs completed.
        epoch: Option<u64>,
    },
    /// An error ended it.
    Failed {
        /// The error.
        error: String,
        /// Where.
        node: String,
    },
    /// It was started, did not end, gives no sign of life, and its job is gone.
    Killed {
        /// Where.
        node: String,
        /// Epochs completed.
        epoch: Option<u64>,
        /// Megabytes of memory asked for, where known.
        memory_asked: Option<u64>,
        /// Most bytes of memory that its worker is known to have had.
        memory_used: Option<u64>,
    },
    /// It was submitted and never started, and the queue does not know its job.
    Lost,
    /// It was submitted, and Slurm does not say what became of its job.
    Unknown,
    /// Nobody was asked to train it.
    NotSubmitted,
}

/// Why a run waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Its job waits; the reason in Slurm's word.
    Job(String),
    /// Its shard is at work on this node, on other runs.
    Turn(String),
}

impl State {
    /// Every state's word, in the order in which they are counted.
    pub const WORDS: [&str; 9] =
        ["done", "running", "queued", "interrupted", "failed", "killed", "lost", "unknown", "not submitted"];

    /// The state in a word.
    pub fn word(&self) -> &'static str {
        Self::WORDS[match self {
            Self::Done { .. } => 0,
            Self::Running { .. } => 1,
            Self::Queued { .. } => 2,
            Self::Interrupted { .. } => 3,
            Self::Failed { .. } => 4,
            Self::Killed { .. } => 5,
            Self::Lost => 6,
            Self::Unknown => 7,
            Self::NotSubmitted => 8,
        }]
    }

    /// Whether submitting it again does no double work and may help.
    pub fn is_mendable(&self) -> bool {
        matches!(
            self,
            Self::Interrupted { .. }
                | Self::Failed { .. }
                | Self::Killed { .. }
                | Self::Lost
                | Self::NotSubmitted
        )
    }
}
