//! `run.json`: what a run is, where it came from and how it ended.

use crate::{Error, Run, durable, number, versioned};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// How far a run got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case", deny_unknown_fields)]
pub enum Status {
    /// Training, or killed while it did.
    Running,
    /// Interrupted and saved; `--resume` continues it.
    Interrupted,
    /// Trained to the end.
    Finished,
    /// Ended itself because a check fired that the recipe lists under `audit.stop_on`.
    Halted {
        /// The check.
        check: String,
        /// Epochs completed.
        epoch: u64,
    },
    /// Given up for a reason that training on cannot mend.
    Stopped {
        /// The reason, in words.
        reason: String,
        /// Epochs completed.
        epoch: u64,
        /// Step within the epoch that was under way, from 1; 0 where the measurement after an epoch showed it.
        step: u64,
    },
}

impl Status {
    /// The state in a word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Interrupted => "interrupted",
            Self::Finished => "finished",
            Self::Halted { .. } => "halted",
            Self::Stopped { .. } => "stopped",
        }
    }

    /// Why a run came to an end before its time, if it did.
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Stopped { reason, .. } => Some(reason.clone()),
            Self::Halted { check, .. } => Some(format!("{check} fired, as audit.stop_on asks")),
            _ => None,
        }
    }

    /// Whether the run came to an end of its own. Whether that is far enough depends on the epochs asked for.
    pub fn is_complete(&self) -> bool {
        matches!(self, Self::Finished | Self::Halted { .. })
    }
}

/// The machine that computed a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Model of the processor.
    pub cpu: String,
    /// Cores that the program could use.
    pub cores: usize,
    /// Operating system and architecture.
    pub system: String,
}

/// The program that trained a run, where this one only watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elsewhere {
    /// Its name and version, such as `PyTorch 2.9.1`.
    pub by: String,
    /// Whether the accuracy of some epoch is over the measured samples, since no other was given.
    pub accuracy_of_samples: bool,
}

/// Everything needed to say where a number came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Version of the program.
    pub version: String,
    /// SHA-256 of the resolved recipe in the run directory: every key, also those that only steer what is
    /// measured.
    pub recipe_hash: String,
    /// Version and hash of what steers training; absent in records older than the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// Versions of the arithmetic that computed the run, in order; more than one where it was resumed over a change.
    #[serde(default = "first_numerics")]
    pub numerics: Vec<u32>,
    /// Name of the data set.
    pub data: String,
    /// SHA-256 of the decoded data.
    pub data_hash: String,
    /// The seed.
    pub seed: u64,
    /// The machine; the latest, where a run was resumed elsewhere.
    pub machine: Machine,
    /// Threads that worked on the run.
    pub threads: usize,
    /// When it started, UTC.
    pub started: String,
    /// When it ended or was last interrupted, UTC.
    pub ended: Option<String>,
    /// How often it was resumed.
    pub resumed: u64,
    /// Who trained it; absent where this program did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<Elsewhere>,
}

/// Records that do not say are of the first version.
fn first_numerics() -> Vec<u32> {
    vec![1]
}

/// The network, in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkFacts {
    /// Name in recipes.
    pub name: String,
    /// Features of an input.
    pub inputs: usize,
    /// Width of the hidden states.
    pub width: usize,
    /// Blocks.
    pub blocks: usize,
    /// Classes.
    pub classes: usize,
    /// Parameters in all.
    pub parameters: usize,
}

/// The record of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// Version of this format.
    pub schema: String,
    /// Name of the run, unique within its folder.
    pub id: String,
    /// The learning rule.
    pub rule: String,
    /// How far it got.
    pub status: Status,
    /// The network.
    pub network: NetworkFacts,
    /// Where it came from.
    pub provenance: Provenance,
    /// ‖W_end − W_start‖ / ‖W_start‖ of each parameter at the end; absent before. A tensor that starts at zero has
    /// no drift and is left out.
    #[serde(with = "number::map")]
    pub drift: Option<BTreeMap<String, f64>>,
}

impl RunRecord {
    /// The version this program writes and reads.
    pub const SCHEMA: &str = "creditscope.run/1";

    /// Reads a run directory's record; refuses one of another version.
    pub fn read(directory: &Path) -> Result<Self, Error> {
        versioned(&directory.join(Run::RECORD), Self::SCHEMA, "a run record")
    }

    /// Writes the record into a run directory, atomically.
    pub fn write(&self, directory: &Path) -> Result<(), Error> {
        let mut text = serde_json::to_string_pretty(self).expect("a record is plain data");
        text.push('\n');
        durable::write(&directory.join(Run::RECORD), text.as_bytes())
    }
}
