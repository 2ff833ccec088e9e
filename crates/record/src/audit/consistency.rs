//! Whether the credit that a run used is the credit that its weights and feedback give, and if not, what happened.

use crate::{Unit, number};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// What is likely wrong with the credit of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case", deny_unknown_fields)]
pub enum Fault {
    /// No credit arrives.
    Zeroed,
    /// Credit has the wrong sign.
    SignFlipped,
    /// The feedback matrix acts transposed.
    FeedbackTransposed,
    /// The feedback matrix of another block acts.
    OtherFeedback {
        /// Index of that matrix.
        matrix: usize,
    },
    /// The credit of another unit acts.
    OtherUnitsCredit {
        /// That unit.
        unit: Unit,
    },
    /// Samples get each other's credit.
    SamplesShuffled,
    /// The feedback was not the same throughout.
    FeedbackChanged {
        /// Last epoch with the old one.
        from: u64,
        /// First epoch with another.
        to: u64,
    },
    /// The saved feedback is not the one that the seed gives.
    FeedbackNotOfSeed,
    /// No unit that feedback reaches has the credit that the saved feedback gives: another one acts.
    FeedbackNotSaved,
    /// The recipe trains the unit, but its parameters have their initial values.
    NeverStepped,
    /// Credit differs, and none of the above explains it.
    Unexplained,
}

impl Fault {
    /// In words, for use after the name of the unit and a colon.
    pub fn words(&self) -> String {
        match self {
            Self::Zeroed => "no credit arrives, where weights and feedback give some".to_owned(),
            Self::SignFlipped => "its credit has the wrong sign".to_owned(),
            Self::FeedbackTransposed => "its feedback matrix acts transposed".to_owned(),
            Self::OtherFeedback { matrix } => {
                format!("the feedback matrix {matrix} acts in place of its own")
            }
            Self::OtherUnitsCredit { unit } => format!("it gets the credit of {unit}"),
            Self::SamplesShuffled => "its samples get each other's credit".to_owned(),
            Self::FeedbackChanged { from, to } => {
                format!("its feedback changed between epochs {from} and {to}, where it should be fixed")
            }
            Self::FeedbackNotOfSeed => "its feedback is not the one that the seed gives".to_owned(),
            Self::FeedbackNotSaved => "the feedback that acts is not the one that is saved".to_owned(),
            Self::NeverStepped => {
                "the recipe trains it, but its parameters still have their initial values".to_owned()
            }
            Self::Unexplained => "its credit is not the one that weights and feedback give".to_owned(),
        }
    }
}

/// Where a fault was found: at a unit, or in the feedback as a whole. Written `embed`, `block 0`, …, `feedback`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// At a unit.
    Unit(Unit),
    /// In the feedback as a whole.
    Feedback,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit(unit) => unit.fmt(f),
            Self::Feedback => f.pad(Self::FEEDBACK),
        }
    }
}

impl Site {
    const FEEDBACK: &str = "feedback";
}

impl From<Unit> for Site {
    fn from(unit: Unit) -> Self {
        Self::Unit(unit)
    }
}

impl Serialize for Site {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Site {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let unit = || word.parse().map(Self::Unit).map_err(serde::de::Error::custom);
        if word == Self::FEEDBACK { Ok(Self::Feedback) } else { unit() }
    }
}

/// A fault and where it was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Where.
    pub unit: Site,
    /// What is likely wrong.
    pub fault: Fault,
    /// ‖recorded − recomputed‖ / ‖recomputed‖ of the unit's credit, where credit was compared.
    #[serde(with = "number::option")]
    pub difference: Option<f64>,
}

/// Outcome of the comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case", deny_unknown_fields)]
pub enum Consistency {
    /// Recorded and recomputed credit agree at every unit.
    Agrees {
        /// The largest relative difference of any unit.
        #[serde(with = "number")]
        worst: f64,
    },
    /// They do not, or the feedback or the weights are not what the recipe says.
    Differs {
        /// What was found, gravest first.
        findings: Vec<Finding>,
    },
    /// It could not be looked at.
    NotAssessed {
        /// Why not.
        why: String,
    },
}
