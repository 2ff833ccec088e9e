//! What the paper's figures show, most of it typed into their scripts.
#![expect(missing_docs, reason = "`published.toml` shows what the fields hold")]

use super::Value;
use figures::catalogue::PublishedRule;
use serde::Deserialize;

/// The figure with three panels; all its values are typed into its script.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hero {
    pub sources: Vec<String>,
    pub setting: String,
    pub rows: Vec<PublishedRule>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Penalty {
    /// Panel (b).
    pub alignment: Alignment,
    /// Panel (c).
    pub capacity: Capacity,
}

/// Deep cosine and deep ρ.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alignment {
    pub source: String,
    pub setting: String,
    pub rows: Vec<AlignmentRow>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlignmentRow {
    pub condition: String,
    pub kind: AlignmentKind,
    pub rule: String,
    /// λ; 0 without a penalty.
    pub penalty: f64,
    pub cosine: Value,
    pub rho: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlignmentKind {
    /// The rule's credit, early in training.
    Early,
    /// The rule's credit after the last epoch.
    End,
    /// Credit by feedback drawn afresh, after the last epoch.
    FreshFeedback,
    /// The gradient itself.
    Gradient,
}

/// Accuracy with and without the penalty.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capacity {
    pub source: String,
    pub setting: String,
    pub penalty: f64,
    /// The frozen baseline drawn as a line.
    pub frozen: f64,
    pub rows: Vec<CapacityRow>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapacityRow {
    pub rule: String,
    pub without: Value,
    pub with: Value,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    pub source: String,
    /// ‖h_L‖ of BP.
    pub hidden_bp: f64,
    pub floor: f64,
    /// Accuracy of DFA with frozen blocks.
    pub frozen: f64,
    /// Where the script draws the line of depth utility; not equal to `frozen + gain`.
    pub threshold_as_drawn: f64,
    /// The gain over the baseline that D3 requires.
    pub gain: f64,
}
