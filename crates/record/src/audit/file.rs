//! The audit of one run or dump.

use super::set::versioned;
use super::{CheckResult, Consistency, State, UnitAudit, Verdict, Warning};
use crate::{Error, durable, number};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What was audited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Subject {
    /// A run of this program.
    Run {
        /// Name of the run, such as `dfa-s42`.
        id: String,
        /// Its name without the seed, such as `dfa`: runs that differ in nothing else share it.
        group: String,
        /// Rule.
        rule: String,
        /// Seed.
        seed: u64,
        /// Whether its blocks are frozen: a baseline.
        frozen: bool,
        /// SHA-256 of the resolved recipe.
        recipe_hash: String,
        /// SHA-256 of the data.
        data_hash: String,
        /// Digest of the checkpoint that was measured; absent where only the log was read.
        checkpoint: Option<String>,
    },
    /// Tensors from elsewhere.
    Dump {
        /// Name of the last file.
        id: String,
        /// SHA-256 of each file, in order.
        hashes: Vec<String>,
    },
}

impl Subject {
    /// Its name.
    pub fn id(&self) -> &str {
        match self {
            Self::Run { id, .. } | Self::Dump { id, .. } => id,
        }
    }

    /// The name that it shares with other seeds.
    pub fn group(&self) -> &str {
        match self {
            Self::Run { group, .. } => group,
            Self::Dump { id, .. } => id,
        }
    }

    /// The seed of a run.
    pub fn seed(&self) -> Option<u64> {
        match self {
            Self::Run { seed, .. } => Some(*seed),
            Self::Dump { .. } => None,
        }
    }

    /// Whether it is a run with frozen blocks.
    pub fn is_frozen(&self) -> bool {
        matches!(self, Self::Run { frozen: true, .. })
    }
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Samples, the first of the test set.
    pub samples: u64,
    /// Random directions a sample for ρ; 0 where ρ was not measured.
    pub directions: u64,
    /// Length of the steps for ρ.
    pub step: f64,
    /// Lengths of the nudges.
    pub etas: Vec<f64>,
    /// Draws of each null.
    pub draws: u64,
    /// Samples that nulls of the nudge are measured on.
    pub null_samples: u64,
    /// Seed of directions, fresh feedback and permutations.
    pub seed: u64,
    /// Whether linear probes were trained.
    pub probe: bool,
    /// D1 fires above this growth.
    pub growth: f64,
    /// D2 fires below this ‖g_L‖ at N = 128.
    pub floor: f64,
    /// D3 fires below this gain.
    pub gain: f64,
    /// D2 is not assessed where median ‖e_T‖ is below this.
    pub solved: f64,
    /// D3 is not assessed where the baseline is this close to 1.
    pub ceiling: f64,
    /// The direction check fires above this mean pairwise cosine.
    pub direction: f64,
}

/// Mean cosine over units, in one convention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GammaMean {
    /// Mean over the units whose cosine is defined.
    pub defined: Option<f64>,
    /// How many those are.
    pub units: u64,
    /// Out of how many.
    pub of: u64,
    /// Mean over all units that have a number, reliable or not: what is usually published.
    pub all: Option<f64>,
}

/// Γ in both conventions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gamma {
    /// Where credit acts, embedding included.
    pub here: GammaMean,
    /// As the source does, blocks only.
    pub paper: GammaMean,
}

/// The audit of one run or dump.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// Version of this format.
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// What was audited.
    pub subject: Subject,
    /// What was asked for.
    pub settings: Settings,
    /// Epochs trained, where known.
    pub epoch: Option<u64>,
    /// Samples that everything was measured on.
    pub samples: u64,
    /// Test accuracy.
    pub accuracy: Option<f64>,
    /// Test accuracy of the matched frozen baseline.
    pub frozen: Option<f64>,
    /// Median ‖e_T‖.
    #[serde(with = "number::option")]
    pub error: Option<f64>,
    /// Hidden states h_0 … h_L.
    pub states: Vec<State>,
    /// Units, from the embedding up.
    pub units: Vec<UnitAudit>,
    /// Mean cosine over units.
    pub gamma: Gamma,
    /// Checks.
    pub checks: Vec<CheckResult>,
    /// What they add up to.
    pub verdict: Verdict,
    /// Whether the credit is the one that it should be.
    pub consistency: Consistency,
    /// What a reader should know.
    pub warnings: Vec<Warning>,
    /// Seconds that the audit took.
    pub seconds: f64,
}

impl Audit {
    /// The version this program writes and reads.
    pub const SCHEMA: &str = "creditscope.audit/1";
    /// Name of the file in a run directory.
    pub const FILE: &str = "audit.json";

    /// Reads a run directory's audit; none where there is no such file.
    pub fn read(directory: &Path) -> Result<Option<Self>, Error> {
        let path = directory.join(Self::FILE);
        if path.symlink_metadata().is_err_and(|e| e.kind() == std::io::ErrorKind::NotFound) {
            return Ok(None);
        }
        Self::read_file(&path).map(Some)
    }

    /// Reads an audit, whatever its file's name.
    pub fn read_file(path: &Path) -> Result<Self, Error> {
        versioned(path, Self::SCHEMA, "an audit")
    }

    /// Writes the audit into a run directory, atomically.
    pub fn write(&self, directory: &Path) -> Result<(), Error> {
        let mut text = serde_json::to_string_pretty(self).expect("an audit is plain data");
        text.push('\n');
        durable::write(&directory.join(Self::FILE), text.as_bytes())
    }
}
