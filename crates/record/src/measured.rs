//! A measured number is never bare: it says whether it is reliable.

use serde::{Deserialize, Serialize};

/// Why a number is unreliable, or does not exist. The graver reason is the larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The reference gradient is below the floor, and only f32 gives it: its digits may be lost.
    ReferenceBelowFloor,
    /// The reference gradients computed in f32 and in f64 point in different directions.
    PrecisionsDisagree,
    /// Nothing but slopes of the loss along some random directions shows where the gradient points.
    ReferenceEstimated,
    /// Credit and reference are the same numbers, and nothing shows that they are the gradient.
    SameNumbers,
    /// The reference is not the gradient at another state of the same backward pass, and nothing confirms it at this one.
    ReferenceDoubtful,
    /// The reference is not the gradient of the forward pass: it does not predict what the loss does.
    NotTheGradient,
    /// Some samples have a gradient but no credit, and were left out of the mean.
    SamplesLeftOut,
    /// The rounding of the forward pass is more than a hundredth of what was to be measured.
    Rounding,
    /// The loss does not change, whichever way the state moves.
    LossUnmoved,
    /// The state is the same for every sample.
    StateConstant,
    /// The unit stays as it was drawn, and nothing is to move it.
    NotTrained,
    /// No forward weights face the feedback, or either is zero.
    NoCounterpart,
    /// The credit is zero, or so small that its digits are lost.
    CreditVanished,
    /// The reference is zero, or so small that its digits are lost.
    ReferenceVanished,
    /// Infinity or NaN.
    NotFinite,
}

impl Why {
    /// The reason in words, for use after "because".
    pub fn words(self) -> &'static str {
        match self {
            Self::ReferenceBelowFloor => {
                "the reference gradient is below the floor, and there is no f64 one to check it"
            }
            Self::PrecisionsDisagree => {
                "the gradients computed in f32 and in f64 point in different directions"
            }
            Self::ReferenceEstimated => "the gradient is known along random directions only",
            Self::SameNumbers => {
                "credit and reference are the same numbers, and nothing shows that they are the gradient"
            }
            Self::ReferenceDoubtful => {
                "the reference is not the gradient at another state, and nothing confirms it here"
            }
            Self::NotTheGradient => "the reference is not the gradient of this forward pass",
            Self::SamplesLeftOut => "some samples have a gradient but no credit, and were left out",
            Self::Rounding => {
                "the rounding of the forward pass is more than a hundredth of what was to be measured"
            }
            Self::LossUnmoved => "the loss does not change, whichever way the state moves",
            Self::StateConstant => "the state is the same for every sample",
            Self::NotTrained => "the unit is not trained",
            Self::NoCounterpart => "no forward weights face the feedback there, or either is zero",
            Self::CreditVanished => "the credit is zero, or so small that its digits are lost",
            Self::ReferenceVanished => "the gradient is zero, or so small that its digits are lost",
            Self::NotFinite => "a number is infinite or not a number",
        }
    }
}

/// A measured number with its standing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case", deny_unknown_fields)]
pub enum Measured {
    /// A value that means what it says.
    Defined {
        /// The number.
        value: f64,
    },
    /// Right as arithmetic, but unreliable.
    Unreliable {
        /// The number.
        value: f64,
        /// The reason.
        why: Why,
    },
    /// No such number.
    Undefined {
        /// The reason.
        why: Why,
    },
}

impl Measured {
    /// The number, believable or not, where there is one.
    pub fn value(&self) -> Option<f64> {
        match *self {
            Self::Defined { value } | Self::Unreliable { value, .. } => Some(value),
            Self::Undefined { .. } => None,
        }
    }

    /// The number where it is reliable.
    pub fn defined(&self) -> Option<f64> {
        match *self {
            Self::Defined { value } => Some(value),
            _ => None,
        }
    }

    /// `defined`, `unreliable` or `undefined`.
    pub fn state(&self) -> &'static str {
        match self {
            Self::Defined { .. } => "defined",
            Self::Unreliable { .. } => "unreliable",
            Self::Undefined { .. } => "undefined",
        }
    }

    /// Why it is unreliable or undefined, if it is.
    pub fn why(&self) -> Option<Why> {
        match *self {
            Self::Defined { .. } => None,
            Self::Unreliable { why, .. } | Self::Undefined { why } => Some(why),
        }
    }
}

impl From<f64> for Measured {
    fn from(value: f64) -> Self {
        Self::Defined { value }
    }
}
