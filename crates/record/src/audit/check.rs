//! The checks of the protocol and the verdict that they add up to.

use crate::number;
use serde::{Deserialize, Serialize};

/// A check of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CheckId {
    /// (a) Scale stability.
    D1,
    /// (b) Reference validity.
    D2,
    /// (c) Direction stability; advisory.
    #[serde(rename = "direction")]
    Direction,
    /// (d) Depth utility.
    D3,
    /// The credit that was used is the credit that weights and feedback give.
    #[serde(rename = "consistency")]
    Consistency,
}

impl CheckId {
    /// Its short name: `D1`, `direction`, `consistency`.
    pub fn name(self) -> &'static str {
        match self {
            Self::D1 => "D1",
            Self::D2 => "D2",
            Self::Direction => "direction",
            Self::D3 => "D3",
            Self::Consistency => "consistency",
        }
    }

    /// What it is about, in a few words.
    pub fn title(self) -> &'static str {
        match self {
            Self::D1 => "scale stability",
            Self::D2 => "reference validity",
            Self::Direction => "direction stability",
            Self::D3 => "depth utility",
            Self::Consistency => "credit consistency",
        }
    }
}

/// How a check came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// The statistic is on the good side.
    Passes,
    /// It is on the bad side.
    Fires,
    /// Nothing can be said.
    NotAssessed {
        /// Why not, such as `no frozen baseline`, `task solved`, `ceiling`.
        why: String,
    },
}

/// One check with its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckResult {
    /// Which.
    pub check: CheckId,
    /// How it came out.
    pub outcome: Outcome,
    /// What was measured: growth, ‖g_L‖ at N = 128, mean pairwise cosine, gain in accuracy, largest relative
    /// difference of the credit.
    #[serde(with = "number::option")]
    pub statistic: Option<f64>,
    /// Where it fires.
    pub threshold: f64,
    /// How far the statistic is from firing: a factor for D1, D2 and consistency (above 1 is safe), a difference for
    /// direction and D3 (above 0 is safe).
    #[serde(with = "number::option")]
    pub margin: Option<f64>,
    /// The first epoch at which it fired, as far as the log or the dumps show.
    pub first_fired: Option<u64>,
    /// Whether it only advises and leaves the verdict alone.
    pub advisory: bool,
}

impl CheckResult {
    /// Whether it fired.
    pub fn fires(&self) -> bool {
        self.outcome == Outcome::Fires
    }
}

/// What all checks together say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case", deny_unknown_fields)]
pub enum Verdict {
    /// No check fired.
    Pass {
        /// Checks that could not be made.
        open: Vec<CheckId>,
    },
    /// These fired.
    Fail {
        /// Which.
        fired: Vec<CheckId>,
    },
    /// No check could be made.
    NotAssessed,
}

impl Verdict {
    /// `PASS`, `PASS (D3 not assessed)`, `FAIL(D1+D2)`, `not assessed`.
    pub fn words(&self) -> String {
        let join = |ids: &[CheckId], by: &str| ids.iter().map(|id| id.name()).collect::<Vec<_>>().join(by);
        match self {
            Self::Pass { open } if open.is_empty() => "PASS".to_owned(),
            Self::Pass { open } => format!("PASS ({} not assessed)", join(open, ", ")),
            Self::Fail { fired } => format!("FAIL({})", join(fired, "+")),
            Self::NotAssessed => "not assessed".to_owned(),
        }
    }
}
