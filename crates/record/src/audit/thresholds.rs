//! Where the checks of the protocol fire, and where its words change.

use serde::{Deserialize, Serialize};

/// Where each check fires. `protocol` has the defaults; recipes change them under `protocol.*`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    /// D1 fires where a block multiplies the hidden norm by more than this.
    pub growth: f64,
    /// D2 fires where ‖g_L‖ at N = 128 is below this.
    pub floor: f64,
    /// D3 fires where training the blocks gains less accuracy than this over leaving them frozen.
    pub gain: f64,
    /// D2 is not assessed where median ‖e_T‖ is below this: a solved task has small gradients.
    pub solved: f64,
    /// D3 is not assessed where the frozen baseline is this close to 1.
    pub ceiling: f64,
    /// The direction check fires where gradients of different batches agree more than this.
    pub direction: f64,
    /// A unit is inert where a step along the true gradient changes the loss by a smaller share than this; absent in files of
    /// before this was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inert: Option<f64>,
    /// Credit is useful from this cosine on, and from this share of the gradient's own nudge; absent in the same files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub useful: Option<f64>,
}
