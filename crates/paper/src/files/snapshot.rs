//! `snapshot_*.json`: norms of states and gradients by layer, epoch by epoch.

use super::PaperFile;
use serde::{Deserialize, Serialize};

/// The whole file. The paper keeps BP and DFA in one and FA in another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Backpropagation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bp_log: Option<Vec<SnapshotEntry>>,
    /// Direct feedback alignment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dfa_log: Option<Vec<SnapshotEntry>>,
    /// Feedback alignment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fa_log: Option<Vec<SnapshotEntry>>,
    /// Settings, in some of the paper's files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<serde_json::Value>,
}

/// One epoch. Norms are medians over samples, l = 0…L; each list has one of two names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SnapshotEntry {
    /// Epochs trained so far.
    pub epoch: u64,
    /// ‖h_l‖.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden_norms: Option<Vec<f64>>,
    /// ‖h_l‖ of the class token, the ViT's name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden_norms_cls: Option<Vec<f64>>,
    /// ‖g_l‖, the gradient of the mean over 1024 samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bp_grad_norms_per_sample_med: Option<Vec<f64>>,
    /// ‖g_l‖, the ViT's name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bp_grad_per_sample_l2_med: Option<Vec<f64>>,
    /// Test accuracy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acc_eval: Option<f64>,
    /// Loss, in some of the paper's files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
}

impl SnapshotEntry {
    /// ‖h_l‖, l = 0…L, under either name; empty if missing.
    pub fn hidden(&self) -> &[f64] {
        self.hidden_norms.as_ref().or(self.hidden_norms_cls.as_ref()).map_or(&[], Vec::as_slice)
    }

    /// ‖g_l‖, l = 0…L, under either name; empty if missing.
    pub fn gradient(&self) -> &[f64] {
        let names = self.bp_grad_norms_per_sample_med.as_ref().or(self.bp_grad_per_sample_l2_med.as_ref());
        names.map_or(&[], Vec::as_slice)
    }

    /// Key and length of each non-empty list.
    fn norms(&self) -> Vec<(&'static str, usize)> {
        let lists = [
            ("hidden_norms", &self.hidden_norms),
            ("hidden_norms_cls", &self.hidden_norms_cls),
            ("bp_grad_norms_per_sample_med", &self.bp_grad_norms_per_sample_med),
            ("bp_grad_per_sample_l2_med", &self.bp_grad_per_sample_l2_med),
        ];
        let lengths = lists.into_iter().filter_map(|(name, list)| Some((name, list.as_ref()?.len())));
        lengths.filter(|&(_, length)| length > 0).collect()
    }
}

impl Snapshot {
    /// The logs present, by key.
    pub fn logs(&self) -> impl Iterator<Item = (&'static str, &[SnapshotEntry])> {
        [("bp_log", &self.bp_log), ("dfa_log", &self.dfa_log), ("fa_log", &self.fa_log)]
            .into_iter()
            .filter_map(|(key, log)| Some((key, log.as_deref()?)))
    }
}

impl PaperFile for Snapshot {
    fn check(&self) -> Result<(), String> {
        if self.logs().next().is_none() {
            return Err("has none of the keys `bp_log`, `dfa_log`, `fa_log`".to_owned());
        }
        for (key, log) in self.logs() {
            if log.is_empty() {
                return Err(format!("`{key}` is empty"));
            }
            let norms = |(i, entry): (usize, &SnapshotEntry)| {
                entry.norms().into_iter().map(move |(name, n)| (i, name, n))
            };
            let mut lengths = log.iter().enumerate().flat_map(norms);
            let Some((_, first, length)) = lengths.next() else { continue };
            if let Some((i, name, other)) = lengths.find(|&(_, _, other)| other != length) {
                return Err(format!(
                    "`{key}/{i}/{name}` has {other} layers, `{first}` at the top of the log has {length}"
                ));
            }
        }
        Ok(())
    }

    fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for (key, log) in self.logs() {
            for (i, entry) in log.iter().enumerate() {
                let mut absent = |what: &str| missing.push(format!("`{key}/{i}` has no key {what}"));
                if entry.hidden().is_empty() {
                    absent("`hidden_norms` (nor `hidden_norms_cls`)");
                }
                if entry.gradient().is_empty() {
                    absent("`bp_grad_norms_per_sample_med` (nor `bp_grad_per_sample_l2_med`)");
                }
                if entry.acc_eval.is_none() {
                    absent("`acc_eval`");
                }
            }
        }
        missing
    }
}
