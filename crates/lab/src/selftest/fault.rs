//! The faults, and what an audit should report for each.

use record::Unit;
use record::audit::{Fault, Site};
use rules::{Formula, RuleSpec};

/// A planted fault. Units are numbered like hidden states: 0 is the embedding, l + 1 is block l.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    /// The unit gets no credit.
    CreditZeroed(usize),
    /// The unit's credit has the wrong sign.
    SignFlipped(usize),
    /// The unit gets the credit of the one above it.
    NeighboursCredit(usize),
    /// The credit is shuffled over the samples of a batch.
    SamplesShuffled(usize),
    /// The unit is left out of the optimiser.
    NeverStepped(usize),
    /// A feedback matrix is applied transposed.
    FeedbackTransposed(usize),
    /// A feedback matrix is applied with the wrong sign.
    FeedbackNegated(usize),
    /// The matrix of another block is applied: the first in place of the second.
    OtherFeedback(usize, usize),
    /// Feedback is redrawn in every step.
    FeedbackRedrawn,
    /// Feedback is redrawn in every step, but the first draw is saved: every hash is right.
    FeedbackRedrawnUnsaved,
}

/// What an audit should report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Where.
    pub unit: Site,
    /// The fault.
    pub fault: Fault,
}

impl Planted {
    /// What an audit should report for this rule: matrix l of a chain gives the credit of unit l, matrix l of direct feedback
    /// that of unit l + 1.
    pub fn expected(self, rule: &str) -> Expected {
        let chain = matches!(RuleSpec::from(rule).formula(), Some(Formula::Chain { .. }));
        let made_by = |matrix: usize| if chain { matrix } else { matrix + 1 };
        let (unit, fault) = match self {
            Self::CreditZeroed(unit) => (unit, Fault::Zeroed),
            Self::SignFlipped(unit) => (unit, Fault::SignFlipped),
            Self::NeighboursCredit(unit) => (unit, Fault::OtherUnitsCredit { unit: Unit::at(unit + 1) }),
            Self::SamplesShuffled(unit) => (unit, Fault::SamplesShuffled),
            Self::NeverStepped(unit) => (unit, Fault::NeverStepped),
            Self::FeedbackTransposed(matrix) => (made_by(matrix), Fault::FeedbackTransposed),
            Self::FeedbackNegated(matrix) => (made_by(matrix), Fault::SignFlipped),
            Self::OtherFeedback(other, own) => (made_by(own), Fault::OtherFeedback { matrix: other }),
            Self::FeedbackRedrawn => {
                let fault = Fault::FeedbackChanged { from: 0, to: 1 };
                return Expected { unit: Site::Feedback, fault };
            }
            Self::FeedbackRedrawnUnsaved => {
                return Expected { unit: Site::Feedback, fault: Fault::FeedbackNotSaved };
            }
        };
        Expected { unit: Unit::at(unit).into(), fault }
    }

    /// Description for a table.
    pub fn words(self) -> String {
        let of = |unit: usize| format!("of {}", Unit::at(unit));
        match self {
            Self::CreditZeroed(unit) => format!("credit {} zeroed", of(unit)),
            Self::SignFlipped(unit) => format!("credit {} with the wrong sign", of(unit)),
            Self::NeighboursCredit(unit) => format!("credit {} taken from {}", of(unit), Unit::at(unit + 1)),
            Self::SamplesShuffled(unit) => format!("credit {} shuffled over the batch", of(unit)),
            Self::NeverStepped(unit) => format!("{} never stepped", Unit::at(unit)),
            Self::FeedbackTransposed(matrix) => format!("feedback {matrix} transposed"),
            Self::FeedbackNegated(matrix) => format!("feedback {matrix} with the wrong sign"),
            Self::OtherFeedback(other, own) => format!("feedback {other} in place of {own}"),
            Self::FeedbackRedrawn => "feedback redrawn in every step".to_owned(),
            Self::FeedbackRedrawnUnsaved => "feedback redrawn in every step, the first saved".to_owned(),
        }
    }
}
