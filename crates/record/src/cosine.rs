//! A cosine is never a bare number: it says whether it may be believed.

use serde::{Deserialize, Serialize};

/// Why a cosine cannot be believed, or does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The reference gradient is so small that it no longer says anything about the loss.
    ReferenceBelowFloor,
    /// Some samples have no direction to compare, and were left out of the mean.
    SamplesLeftOut,
    /// The credit is zero, or so small that its digits are lost.
    CreditVanished,
    /// The reference is zero, or so small that its digits are lost.
    ReferenceVanished,
    /// Infinity or NaN.
    NotFinite,
}

/// Mean cosine between credit and gradient over samples, with its standing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case", deny_unknown_fields)]
pub enum Cosine {
    /// A value that means what it says.
    Defined {
        /// The cosine.
        value: f64,
    },
    /// Right as arithmetic, but not to be relied upon.
    Unreliable {
        /// The cosine.
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

impl Cosine {
    /// The number, believable or not, where there is one.
    pub fn value(&self) -> Option<f64> {
        match *self {
            Self::Defined { value } | Self::Unreliable { value, .. } => Some(value),
            Self::Undefined { .. } => None,
        }
    }
}
