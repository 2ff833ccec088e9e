//! The audit of one run or dump.

use super::{Carried, CheckResult, Consistency, State, Subject, Thresholds, UnitAudit, Verdict, Warning};
use crate::{Error, Run, durable, number, versioned};
use serde::{Deserialize, Serialize};
use std::path::Path;

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
    /// Thresholds of the checks; in the file they are among the other values.
    #[serde(flatten)]
    pub thresholds: Thresholds,
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
    /// At the input of each block, as the paper does; blocks only.
    #[serde(alias = "paper")]
    pub at_input: GammaMean,
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
    /// How carried loss changes agree with whole passes; none where nothing was carried, and in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<Carried>,
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

    /// Reads a run directory's audit; none where there is no such file.
    pub fn read(directory: &Path) -> Result<Option<Self>, Error> {
        let path = directory.join(Run::AUDIT);
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
        durable::write(&directory.join(Run::AUDIT), text.as_bytes())
    }
}
