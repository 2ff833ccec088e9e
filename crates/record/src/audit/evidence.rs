//! What was measured at each hidden state and of each unit's credit.

use crate::{Measured, Unit, number};
use serde::{Deserialize, Serialize};

/// A hidden state h_l. What a partial dump lacks is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Median ‖h_l‖.
    #[serde(with = "number::option")]
    pub hidden: Option<f64>,
    /// Median ‖p_l‖, of each sample's own loss; the gradient of the mean over N samples is this divided by N.
    #[serde(with = "number::option")]
    pub gradient: Option<f64>,
    /// Mean cosine of the gradients computed in f32 and in f64.
    #[serde(with = "number::option")]
    pub precisions: Option<f64>,
    /// Median ‖p_l‖·‖h_l‖: the change of the loss per relative change of the state.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<f64>,
    /// Test accuracy of a linear classifier that reads h_l.
    pub probe: Option<f64>,
    /// The gradient held against loss changes that were measured elsewhere and came with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<ReferenceTest>,
}

/// Whether a gradient predicts the changes of the loss along random directions: for a true one ρ is 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceTest {
    /// ρ of the gradient.
    pub rho: f64,
    /// Its standard error, by leaving out one direction after the other.
    #[serde(with = "number")]
    pub error: f64,
    /// Directions, the same for every sample.
    pub directions: u64,
}

/// Correlation between what credit predicts for a small step and what the loss does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rho {
    /// ρ of the credit.
    pub value: Measured,
    /// ρ of the true gradient at the same state: what the measurement can give at best.
    pub gradient: Measured,
    /// Length of the steps; 0 where the loss changes were measured elsewhere.
    pub step: f64,
    /// Whether that is more than was asked for, because rounding needs it.
    pub enlarged: bool,
    /// Estimated rounding, as a share of the change of the loss.
    #[serde(with = "number")]
    pub rounding: f64,
}

/// Mean change of the loss when the state moves against the credit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nudge {
    /// Length η: the state moves by −η·a/RMS(a).
    pub eta: f64,
    /// Change of the loss; negative is good.
    pub change: Measured,
    /// The change that the true gradient brings at the same length.
    pub gradient: Measured,
}

/// Which chance a measured value is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NullKind {
    /// The same rule with feedback drawn afresh.
    FreshFeedback,
    /// Labels permuted over the samples in the credit, true ones in the gradient.
    PermutedLabels,
    /// The credit itself permuted over the samples, where nothing is known about the rule.
    ShuffledSamples,
    /// The credit turned in the space of features, the same way for all samples: what feedback drawn afresh would give, where
    /// nothing is known about the rule.
    TurnedFeatures,
}

impl NullKind {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::FreshFeedback => "fresh_feedback",
            Self::PermutedLabels => "permuted_labels",
            Self::ShuffledSamples => "shuffled_samples",
            Self::TurnedFeatures => "turned_features",
        }
    }
}

/// What a null is a null of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// The mean cosine.
    Cosine,
    /// ρ.
    Rho,
    /// The nudge of middle length.
    Nudge,
}

impl Quantity {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 3] = [Self::Cosine, Self::Rho, Self::Nudge];

    /// Its name in files and sentences.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cosine => "cosine",
            Self::Rho => "rho",
            Self::Nudge => "nudge",
        }
    }
}

/// Where a value is in relation to a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Below every draw.
    Below,
    /// Among the draws.
    Inside,
    /// Above every draw.
    Above,
}

/// The band that chance gives, smallest to largest draw, and the measured value on the same samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Null {
    /// Which chance.
    pub kind: NullKind,
    /// Of what.
    pub of: Quantity,
    /// Draws.
    pub draws: u64,
    /// Samples that value and draws were measured on.
    pub samples: u64,
    /// The measured value.
    #[serde(with = "number")]
    pub value: f64,
    /// Smallest draw.
    #[serde(with = "number")]
    pub low: f64,
    /// Largest draw.
    #[serde(with = "number")]
    pub high: f64,
    /// Where the value is.
    pub place: Place,
}

/// The cosine with the gradient of the mean credit over several draws, where the rule draws noise anew for each batch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeanCredit {
    /// Draws that are averaged, K.
    pub draws: u64,
    /// Samples.
    pub samples: u64,
    /// Mean cosine over samples.
    pub cosine: f64,
    /// Lower end of its 95 % interval, by the spread over samples.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// What credit that is the gradient plus Gaussian noise gives.
    pub expected: f64,
}

/// How far the mean cosine is known where slopes along random directions stand for the gradient.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// Lower end of the 95 % interval of the mean over these samples.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Random directions of each sample.
    pub directions: u64,
}

/// All that was measured of one unit's credit against the gradient at one state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Mean cosine over samples.
    pub cosine: Measured,
    /// Its interval, where it is only estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// Its standard deviation over samples (n−1).
    #[serde(with = "number::option")]
    pub spread: Option<f64>,
    /// What PyTorch's cosine, which puts a floor of 1e-8 under each norm, would give.
    #[serde(with = "number::option")]
    pub torch: Option<f64>,
    /// ρ, where it was measured.
    pub rho: Option<Rho>,
    /// Nudges, from the shortest.
    pub nudges: Vec<Nudge>,
    /// Nulls; one that does not apply (fresh feedback for a credit without feedback) is left out.
    pub nulls: Vec<Null>,
}

/// What is moved along the true gradient to see whether the loss changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moved {
    /// All parameters of the unit, by −lr·sign of the gradient of the mean loss: as far as the optimiser goes in a step.
    Parameters,
    /// The state, by −η·p/RMS(p), where there are no weights to move.
    State,
}

/// What a step along the true gradient does to the loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// What is moved.
    pub moved: Moved,
    /// How far: lr or η.
    pub step: f64,
    /// Change of the mean loss, as a share of it; negative is good.
    #[serde(with = "number")]
    pub share: f64,
}

/// What the evidence says about a unit's credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// What the credit was compared with is not the gradient of the forward pass.
    ReferenceNotGradient,
    /// Cosine, ρ and nudge all beat chance, and cosine and nudge are large enough to matter.
    Useful,
    /// They beat chance, but are small.
    Detectable,
    /// Some evidence beats chance, some does not.
    Mixed,
    /// None beats chance.
    Chance,
    /// It points away from the gradient, more than chance would.
    Misleading,
    /// Only the cosine supports it: nothing else was measured, or there was no null to compare it with.
    Unconfirmed,
    /// The numbers are not reliable, so nothing can be said.
    CannotBeJudged,
    /// No credit arrives.
    Dead,
    /// Something is infinite or NaN.
    Broken,
}

/// A unit and what its credit is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitAudit {
    /// Which.
    pub unit: Unit,
    /// Median ‖a‖ of the raw credit.
    #[serde(with = "number::option")]
    pub credit: Option<f64>,
    /// Compared where it acts: the embedding's at h_0, block l's at h_{l+1}.
    pub here: Option<Evidence>,
    /// Compared at the block's input, as the paper does: a_l at h_l. The embedding has none.
    #[serde(alias = "paper")]
    pub at_input: Option<Evidence>,
    /// ‖θ_end − θ_start‖ / ‖θ_start‖ over all its parameters.
    #[serde(with = "number::option")]
    pub drift: Option<f64>,
    /// Mean credit over 1, 4, … draws, compared where it acts; empty for a rule that draws nothing anew.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mean_credit: Vec<MeanCredit>,
    /// What a step along the true gradient does, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// What the evidence where it acts adds up to.
    pub standing: Standing,
    /// Evidence that disagrees, in words; empty where it agrees.
    pub notes: Vec<String>,
}
