//! What the paper's figures show, most of it typed into their scripts.

use super::Value;
use figures::catalogue::PublishedRule;
use serde::Deserialize;

/// The figure with the three panels; all its values are typed into its script.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hero {
    /// Where its panels come from.
    pub sources: Vec<String>,
    /// What the gradient norms were measured on.
    pub setting: String,
    /// A row per rule.
    pub rows: Vec<PublishedRule>,
}

/// The figure of the penalty.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Penalty {
    /// Panel (b): deep cosine and deep ρ.
    pub alignment: Alignment,
    /// Panel (c): what the penalty costs.
    pub capacity: Capacity,
}

/// Deep cosine and deep ρ.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alignment {
    /// Where the values come from.
    pub source: String,
    /// What they were measured on.
    pub setting: String,
    /// A row per condition, in the order of the figure.
    pub rows: Vec<AlignmentRow>,
}

/// One condition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlignmentRow {
    /// The condition in words.
    pub condition: String,
    /// What was compared with the gradient, and when.
    pub kind: AlignmentKind,
    /// The rule.
    pub rule: String,
    /// λ; 0 without a penalty.
    pub penalty: f64,
    /// Deep cosine.
    pub cosine: Value,
    /// Deep ρ.
    pub rho: Value,
}

/// What was compared with the gradient, and when.
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
    /// Where the values come from.
    pub source: String,
    /// What they were measured on.
    pub setting: String,
    /// λ.
    pub penalty: f64,
    /// The frozen baseline drawn as a line.
    pub frozen: f64,
    /// A row per rule.
    pub rows: Vec<CapacityRow>,
}

/// Accuracy of a rule with and without the penalty.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapacityRow {
    /// The rule.
    pub rule: String,
    /// Without the penalty.
    pub without: Value,
    /// With it.
    pub with: Value,
}

/// Lines typed into the figure of several penalties.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Where the values come from.
    pub source: String,
    /// ‖h_L‖ of BP.
    pub hidden_bp: f64,
    /// The floor under ‖g‖.
    pub floor: f64,
    /// Accuracy of DFA with frozen blocks.
    pub frozen: f64,
    /// Where the script draws the line of depth utility; it is not the baseline plus the gain.
    pub threshold_as_drawn: f64,
    /// The gain over the baseline that depth utility asks for.
    pub gain: f64,
}
