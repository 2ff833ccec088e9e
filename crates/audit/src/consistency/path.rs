//! The plain path of a rule: the formula of its credit, with the numbers that it takes from the record.

use super::reader::TensorReader;
use super::recorded::Recorded;
use rules::{Bridged, Condition, Formula, Projected, Replacement};

/// A formula with the numbers that it takes from the record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PlainPath {
    Gradient { penalty: f64 },
    Chain { batch: f64 },
    Direct(Projected),
    Replaced(Replacement),
    Bridge(Bridged, Condition),
}

impl PlainPath {
    /// The path of a record; the error states why there is none.
    pub(super) fn read(recorded: &Recorded<'_>) -> Result<Self, String> {
        let no_path = || format!("no plain path for the rule {}", recorded.rule);
        match recorded.formula.ok_or_else(no_path)? {
            Formula::Gradient { penalised: false } => Ok(Self::Gradient { penalty: 0.0 }),
            Formula::Gradient { .. } if !recorded.penalty.is_finite() => {
                Err(format!("the penalty is {}", recorded.penalty))
            }
            Formula::Gradient { .. } => Ok(Self::Gradient { penalty: recorded.penalty }),
            Formula::Chain { averaged: false } => Ok(Self::Chain { batch: 1.0 }),
            Formula::Chain { .. } if recorded.batch == 0 => {
                Err(format!("the batch that {} averages over has no samples", recorded.rule))
            }
            Formula::Chain { .. } => Ok(Self::Chain { batch: recorded.batch as f64 }),
            Formula::Direct(projected) => Ok(Self::Direct(projected)),
            Formula::Replaced(replacement) => Ok(Self::Replaced(replacement)),
            // Without blocks there is nothing to bridge, and the embedding gets p_L itself.
            Formula::Bridge(..) if recorded.net.blocks() == Some(0) => Ok(Self::Gradient { penalty: 0.0 }),
            Formula::Bridge(Bridged::State, condition) => Ok(Self::Bridge(Bridged::State, condition)),
            Formula::Bridge(Bridged::Value, condition) => {
                let warm = TensorReader { tensors: recorded.tensors }.values("rule.warm", &[1])?[0] > 0.0;
                // During warm-up, direct feedback gives the credit.
                let bridge = Self::Bridge(Bridged::Value, condition);
                Ok(if warm { Self::Direct(Projected::Error) } else { bridge })
            }
        }
    }

    /// Whether a unit's credit is computed from that of the unit above it.
    pub(super) fn comes_down(self, unit: usize) -> bool {
        match self {
            Self::Gradient { .. } | Self::Chain { .. } | Self::Replaced(_) => true,
            // The embedding gets that of block 0.
            Self::Direct(_) | Self::Bridge(..) => unit == 0,
        }
    }

    /// Number and columns of its feedback matrices.
    pub(super) fn matrices(self, blocks: usize, d: usize, classes: usize) -> (usize, usize) {
        match self {
            Self::Gradient { .. } | Self::Replaced(_) | Self::Bridge(..) => (0, 0),
            Self::Chain { .. } => (blocks, d),
            // Without blocks one matrix remains, for the embedding.
            Self::Direct(_) => (blocks.max(1), classes),
        }
    }

    /// Number of units whose credit comes from saved feedback: all but the top one in a chain; the blocks if it is direct or
    /// from a bridge, since the embedding's is a copy.
    pub(super) fn fed(self, blocks: usize) -> usize {
        match self {
            Self::Gradient { .. } | Self::Replaced(Replacement::Signs) => 0,
            _ => blocks,
        }
    }
}
