//! A trial: one rule, trained once.

use super::{EpochPoint, Layers, Origin, Setting, Variant};
use protocol::baseline::{Trained, TrainingKeys};
use protocol::{Facts, Moment, Thresholds};
use record::Status;
use record::audit::{Audit, UnitAudit};

/// One rule, trained once, as far as its records tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Name of the run; stem and key for a file of others, such as `snapshot_vit_s42/bp_log`.
    pub name: String,
    /// The rule, such as `dfa`.
    pub rule: String,
    /// λ of the penalty; 0 without.
    pub penalty: f64,
    /// Whether the blocks are frozen.
    pub frozen: bool,
    /// Other modifiers in words; empty for a plain rule.
    pub modifiers: String,
    /// Classes of the task, where known.
    pub classes: Option<u64>,
    /// The seed.
    pub seed: Option<u64>,
    /// What has to be equal for trials to be drawn together.
    pub setting: Setting,
    /// Where it comes from.
    pub origin: Origin,
    /// How far it came; absent where the records do not tell.
    pub status: Option<Status>,
    /// The N that the records state gradient norms for, where they hold ‖g‖ = ‖p‖/N in place of ‖p‖.
    pub native_samples: Option<u64>,
    /// What steered its training; of runs only.
    pub keys: Option<TrainingKeys>,
    /// Where the checks fire: as its recipe or its audit says, else the protocol's own.
    pub thresholds: Thresholds,
    /// Epochs in order; empty where only an audit is known.
    pub epochs: Vec<EpochPoint>,
    /// Layer by layer at the end: from the audit where there is one of that epoch, else from the log.
    pub final_layers: Layers,
    /// ‖W_end − W_start‖ / ‖W_start‖ of each block's first weight matrix.
    pub drift: Vec<Option<f64>>,
    /// The audit, where there is one.
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

    /// Whether it was trained to its end; unknown where the records do not tell.
    pub fn is_complete(&self) -> Option<bool> {
        self.status.as_ref().map(Status::is_complete)
    }

    /// What matching a frozen baseline looks at; of runs only.
    pub(super) fn trained(&self) -> Option<Trained<'_>> {
        let keys = self.keys.as_ref()?;
        let data = self.origin.data_hash.as_deref()?;
        Some(Trained { keys, data, complete: self.is_complete() == Some(true) })
    }

    /// What the checks look at epoch by epoch.
    pub fn history(&self) -> Vec<Moment> {
        self.epochs.iter().map(EpochPoint::moment).collect()
    }

    /// What the log shows at its end, beside a frozen baseline of that accuracy.
    pub fn logged_facts(&self, frozen: Option<f64>) -> Facts {
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

    /// The audit where it is one of the last epoch.
    pub fn final_audit(&self) -> Option<&Audit> {
        let of_the_end = |audit: &&Audit| self.last().is_none_or(|last| audit.epoch == Some(last.epoch));
        self.audit.as_deref().filter(of_the_end)
    }

    /// The evidence of each unit at the end, from the embedding up: of the audit, else of the audit after the last
    /// epoch; empty without either.
    pub fn final_units(&self) -> &[UnitAudit] {
        let small = || self.last().and_then(|epoch| epoch.audit.as_ref()).map(|audit| &audit.units[..]);
        self.final_audit().map(|audit| &audit.units[..]).or_else(small).unwrap_or_default()
    }
}
