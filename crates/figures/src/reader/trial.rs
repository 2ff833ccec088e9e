//! A trial: one rule, trained once.

use super::{EpochPoint, Layers, Origin, Setting, Variant};
use protocol::baseline::{Trained, TrainingKeys};
use protocol::{Facts, Moment, Thresholds};
use record::Status;
use record::audit::{Audit, UnitAudit};

/// One rule, trained once, as far as known.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the other names say it")]
pub struct Trial {
    /// Name of the run; for a foreign file its stem and key, such as `snapshot_vit_s42/bp_log`.
    pub name: String,
    /// As recipes name it, such as `dfa`.
    pub rule: String,
    /// λ; 0 without a penalty.
    pub penalty: f64,
    /// Whether the blocks are frozen.
    pub frozen: bool,
    /// Other modifiers in words; empty for a plain rule.
    pub modifiers: String,
    pub classes: Option<u64>,
    pub seed: Option<u64>,
    pub setting: Setting,
    pub origin: Origin,
    pub status: Option<Status>,
    /// N, if the records hold ‖g‖ = ‖p‖/N instead of ‖p‖.
    pub native_samples: Option<u64>,
    /// What determined its training; only for runs.
    pub keys: Option<TrainingKeys>,
    /// From its recipe or audit, else the protocol's defaults.
    pub thresholds: Thresholds,
    /// In order; empty if only an audit is known.
    pub epochs: Vec<EpochPoint>,
    /// From the audit if it is of the last epoch, else from the log.
    pub final_layers: Layers,
    /// ‖W_end − W_start‖ / ‖W_start‖ of each block's first weight matrix.
    pub drift: Vec<Option<f64>>,
    pub audit: Option<Box<Audit>>,
}

impl Trial {
    /// The rule with its modifiers.
    pub fn variant(&self) -> Variant {
        Variant {
            rule: self.rule.clone(),
            penalty: self.penalty,
            frozen: self.frozen,
            modifiers: self.modifiers.clone(),
        }
    }

    /// What credit was divided by in training, as recipes name it; only for runs.
    pub fn normalise(&self) -> Option<&str> {
        self.keys.as_ref()?.recipe().get("rule.normalise")?.as_str()
    }

    /// The norm that gradients were clipped to; 0 if they were not, or if nothing is known.
    pub fn clip(&self) -> f64 {
        let clip = self.keys.as_ref().and_then(|keys| keys.recipe().get("optim.clip"));
        clip.and_then(toml::Value::as_float).unwrap_or(0.0)
    }

    /// That epoch, if it is measured.
    pub fn epoch(&self, epoch: u64) -> Option<&EpochPoint> {
        self.epochs.binary_search_by_key(&epoch, |point| point.epoch).ok().map(|at| &self.epochs[at])
    }

    /// The last epoch, if there is any.
    pub fn last(&self) -> Option<&EpochPoint> {
        self.epochs.last()
    }

    /// Test accuracy after the last epoch, never the best one.
    pub fn accuracy(&self) -> Option<f64> {
        match self.last() {
            Some(epoch) => epoch.test_accuracy,
            None => self.audit.as_ref().and_then(|audit| audit.accuracy),
        }
    }

    /// Whether it was trained to its end, if known.
    pub(super) fn is_complete(&self) -> Option<bool> {
        self.status.as_ref().map(Status::is_complete)
    }

    /// What frozen baselines are matched by; only for runs.
    pub(super) fn trained(&self) -> Option<Trained<'_>> {
        let keys = self.keys.as_ref()?;
        let data = self.origin.data_hash.as_deref()?;
        Some(Trained { keys, data, complete: self.is_complete() == Some(true) })
    }

    /// What the checks look at, by epoch.
    pub(crate) fn history(&self) -> Vec<Moment> {
        self.epochs.iter().map(EpochPoint::moment).collect()
    }

    /// What the checks look at after the last epoch of the log; `frozen` is the accuracy of the frozen baseline.
    pub(crate) fn logged_facts(&self, frozen: Option<f64>) -> Facts {
        let end = self.last().map(EpochPoint::moment);
        let facts = Facts {
            growth: end.and_then(|end| end.growth),
            gradient: end.and_then(|end| end.gradient),
            error: end.and_then(|end| end.error),
            direction: None,
            accuracy: self.accuracy(),
            frozen,
            is_frozen: self.frozen,
        };
        self.status.iter().fold(facts, Facts::ended)
    }

    /// The audit, if it is of the last epoch.
    pub fn final_audit(&self) -> Option<&Audit> {
        let is_final = |audit: &&Audit| self.last().is_none_or(|last| audit.epoch == Some(last.epoch));
        self.audit.as_deref().filter(is_final)
    }

    /// The evidence of each unit at the end, from the embedding up: of the audit, else of the small audit after the last
    /// epoch, else empty.
    pub fn final_units(&self) -> &[UnitAudit] {
        let small = || self.last().and_then(|epoch| epoch.audit.as_ref()).map(|audit| &audit.units[..]);
        self.final_audit().map(|audit| &audit.units[..]).or_else(small).unwrap_or_default()
    }
}
