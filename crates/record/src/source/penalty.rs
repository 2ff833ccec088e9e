//! `dfa_pen_lam{λ}_s{seed}.json`: DFA with a penalty on what the blocks add to the stream.

use super::SourceFile;
use serde::{Deserialize, Serialize};

/// The whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Penalised {
    /// λ; also in the file's name.
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
    #[serde(rename = "h_L_norm")]
    pub h_last_norm: f64,
    /// ‖g_2‖, the gradient of the mean over 1024 samples at h_2.
    pub g_2_norm: f64,
    /// Test accuracy.
    pub acc_eval: f64,
}

impl SourceFile for Penalised {}
