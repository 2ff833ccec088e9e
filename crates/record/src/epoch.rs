//! One line of `metrics.jsonl`: what was measured after an epoch.

use crate::audit::UnitAudit;
use crate::series::{self, Quantity, Series};
use crate::{Measured, flat, number};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Mean loss and accuracy over a set of samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Mean cross-entropy.
    #[serde(with = "number")]
    pub loss: f64,
    /// Share of samples whose largest logit is the label's; not a number where there are no labels.
    #[serde(with = "number")]
    pub accuracy: f64,
}

/// Measurements on the fixed evaluation samples, the first of the test set. Medians are over samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "flat::Evaluation")]
pub struct Evaluation {
    /// Number of samples, N.
    pub samples: u64,
    /// Median ‖e_T‖ at the logits.
    #[serde(with = "number")]
    pub error: f64,
    /// Largest ‖h_{l+1}‖ / ‖h_l‖ over the blocks; 1 without blocks.
    #[serde(with = "number")]
    pub growth: f64,
    /// What is measured layer by layer, by name. [`series::TABLE`] lists the names that this program knows.
    pub series: BTreeMap<String, Series>,
    /// What the rule says about itself, as means over the samples, such as `state_pred_error`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "number::entries")]
    pub notes: BTreeMap<String, f64>,
}

impl Evaluation {
    /// The values of a series; none where it was not measured.
    pub fn values(&self, quantity: &Quantity) -> &[Measured] {
        self.series.get(quantity.name).map_or(&[], |series| &series.values)
    }

    /// Median ‖h_l‖, l = 0…L.
    pub fn hidden(&self) -> Vec<f64> {
        self.numbers(&series::HIDDEN)
    }

    /// Median ‖p_l‖, l = 0…L: the gradient of each sample's *own* loss. The gradient of the mean over N samples,
    /// ‖g_l‖, is this divided by N; N is a matter of who prints it.
    pub fn gradient(&self) -> Vec<f64> {
        self.numbers(&series::GRADIENT)
    }

    /// Median norm of the rule's raw credit where it acts: at h_0 (embedding), then at h_{l+1} (block l).
    pub fn credit(&self) -> Vec<f64> {
        self.numbers(&series::CREDIT)
    }

    /// Cosine of the credit with p where it acts: embedding, block 0, …, block L−1.
    pub fn cosine(&self) -> &[Measured] {
        self.values(&series::COSINE)
    }

    /// Cosine of a_l with p_l, at the block's input, l = 0…L−1: the paper's convention.
    pub fn cosine_at_input(&self) -> &[Measured] {
        self.values(&series::COSINE_AT_INPUT)
    }

    /// The bare numbers; NaN where there is none.
    fn numbers(&self, quantity: &Quantity) -> Vec<f64> {
        self.values(quantity).iter().map(|measured| measured.value().unwrap_or(f64::NAN)).collect()
    }
}

/// The state of a run after an epoch; epoch 0 is before any training. Every line says its schema, so that a log may be
/// continued by a newer program. Fields that this program does not know are passed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "schema", rename = "creditscope.metrics/2")]
pub struct Epoch {
    /// Epochs trained so far.
    pub epoch: u64,
    /// Learning rate during the epoch; absent at epoch 0.
    pub lr: Option<f64>,
    /// Score over the training batches as they were seen, augmented, while the weights moved; absent at epoch 0.
    pub train: Option<Score>,
    /// Score on the training samples that are held out; absent where none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<Score>,
    /// Score on the whole test set.
    pub test: Score,
    /// Measurements.
    pub evaluation: Evaluation,
    /// ρ, nudge and nulls of each unit, where the recipe asks for them after this epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<EpochAudit>,
    /// SHA-256 of the rule's fixed feedback; absent where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// Seconds spent on training in this epoch, over all sittings.
    pub train_seconds: f64,
    /// Seconds spent on the score on the test set after it.
    #[serde(default)]
    pub test_seconds: f64,
    /// Seconds spent on norms and cosines after it.
    pub evaluation_seconds: f64,
    /// Seconds spent on the audit after it.
    #[serde(default)]
    pub audit_seconds: f64,
}

impl Epoch {
    /// The version this program writes. It reads that before it as well, whose lines name none.
    pub const SCHEMA: &str = "creditscope.metrics/2";

    /// The epoch without its times, which differ on every day.
    pub fn timeless(&self) -> Self {
        Self {
            train_seconds: 0.0,
            test_seconds: 0.0,
            evaluation_seconds: 0.0,
            audit_seconds: 0.0,
            ..self.clone()
        }
    }

    /// Seconds spent on everything.
    pub fn seconds(&self) -> f64 {
        self.train_seconds + self.test_seconds + self.evaluation_seconds + self.audit_seconds
    }
}

/// An audit during training, smaller than that of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpochAudit {
    /// Samples, the first of the test set.
    pub samples: u64,
    /// Random directions a sample.
    pub directions: u64,
    /// Draws of each null.
    pub draws: u64,
    /// Units, from the embedding up.
    pub units: Vec<UnitAudit>,
}
