//! `dfa_pen_lam{λ}_s{seed}.json`: DFA with a penalty on what the blocks add to the stream.

use super::PaperFile;
use serde::{Deserialize, Serialize};

/// The whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Penalised {
    /// λ, also part of the file name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lam: Option<f64>,
    /// Epoch by epoch.
    pub log: Vec<PenalisedEntry>,
}

/// One epoch. Norms are medians over samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PenalisedEntry {
    /// Epochs trained so far.
    pub epoch: u64,
    /// ‖h_L‖, the last state.
    #[serde(rename = "h_L_norm", skip_serializing_if = "Option::is_none")]
    pub h_last_norm: Option<f64>,
    /// ‖g_2‖, the gradient of the mean over 1024 samples at h_2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub g_2_norm: Option<f64>,
    /// Test accuracy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acc_eval: Option<f64>,
}

impl PaperFile for Penalised {
    fn check(&self) -> Result<(), String> {
        if self.log.is_empty() { Err("`log` is empty".to_owned()) } else { Ok(()) }
    }

    fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for (i, entry) in self.log.iter().enumerate() {
            let keys =
                [("h_L_norm", entry.h_last_norm), ("g_2_norm", entry.g_2_norm), ("acc_eval", entry.acc_eval)];
            let absent = keys.into_iter().filter(|(_, value)| value.is_none());
            missing.extend(absent.map(|(key, _)| format!("`log/{i}` has no key `{key}`")));
        }
        missing
    }
}
