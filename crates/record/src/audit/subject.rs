//! What an audit is of.

use crate::RunRecord;
use serde::{Deserialize, Serialize};

/// The modifiers of a recipe other than freezing all blocks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modifiers {
    /// λ of the penalty; 0 without.
    pub penalty: f64,
    /// Only so many of the last blocks are trained, where that is not all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trainable_last: Option<u64>,
    /// Whether the blocks are taken out.
    pub shallow: bool,
    /// Whether labels are drawn at random for each batch.
    pub random_targets: bool,
    /// What credit is divided by in training, as recipes name it; empty in files of before this was written down.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub normalise: String,
    /// Norm that the gradient of each block is clipped to; 0 if it is not.
    #[serde(default, skip_serializing_if = "is_0")]
    pub clip: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_0(x: &f64) -> bool {
    *x == 0.0
}

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
        /// What else the recipe changes about the rule; absent in files of before this was written down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        modifiers: Option<Modifiers>,
    },
    /// Tensors from elsewhere.
    Dump {
        /// Name of the last file.
        id: String,
        /// The rule, if the dump names it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        /// The seed, if the dump has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<u64>,
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
            Self::Run { group, .. } | Self::Dump { rule: Some(group), .. } => group,
            Self::Dump { id, .. } => id,
        }
    }

    /// The rule, where it is known.
    pub fn rule(&self) -> Option<&str> {
        match self {
            Self::Run { rule, .. } => Some(rule),
            Self::Dump { rule, .. } => rule.as_deref(),
        }
    }

    /// The seed, where it is known.
    pub fn seed(&self) -> Option<u64> {
        match self {
            Self::Run { seed, .. } => Some(*seed),
            Self::Dump { seed, .. } => *seed,
        }
    }

    /// Whether it is the run of this record.
    pub fn is_of(&self, record: &RunRecord) -> bool {
        let from = &record.provenance;
        match self {
            Self::Run { id, recipe_hash, data_hash, .. } => {
                *id == record.id && *recipe_hash == from.recipe_hash && *data_hash == from.data_hash
            }
            Self::Dump { .. } => false,
        }
    }

    /// Whether it is a run with frozen blocks.
    pub fn is_frozen(&self) -> bool {
        matches!(self, Self::Run { frozen: true, .. })
    }
}
