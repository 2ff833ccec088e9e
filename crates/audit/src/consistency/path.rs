//! The plain path of a rule: which of the formulas gives the credit of a record, and what of the record enters it.

use super::reader::Reader;
use super::recorded::Recorded;
use rules::{Bridged, Condition, Formula, Projected, Replacement};

/// A formula with the numbers that it takes from the record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Path {
    Gradient { penalty: f64 },
    Chain { batch: f64 },
    Direct(Projected),
    Replaced(Replacement),
    Bridge(Bridged, Condition),
}

impl Path {
    /// The path of a record, or why there is none.
    pub(super) fn read(recorded: &Recorded<'_>) -> Result<Self, String> {
        let no_path = || format!("no plain path for the rule {}", recorded.rule);
        match recorded.formula.ok_or_else(no_path)? {
            Formula::Gradient if !recorded.penalty.is_finite() => {
                Err(format!("the penalty is {}", recorded.penalty))
            }
            Formula::Gradient => Ok(Self::Gradient { penalty: recorded.penalty }),
            Formula::Chain if recorded.batch == 0 => {
                Err(format!("the mean that {} takes is over no samples", recorded.rule))
            }
            Formula::Chain => Ok(Self::Chain { batch: recorded.batch as f64 }),
            Formula::Direct(projected) => Ok(Self::Direct(projected)),
            Formula::Replaced(replacement) => Ok(Self::Replaced(replacement)),
            // Without blocks there is nothing to bridge, and the embedding is given p_L itself.
            Formula::Bridge(..) if recorded.net.blocks() == Some(0) => Ok(Self::Gradient { penalty: 0.0 }),
            Formula::Bridge(Bridged::State, condition) => Ok(Self::Bridge(Bridged::State, condition)),
            Formula::Bridge(Bridged::Value, condition) => {
                let warm = Reader { tensors: recorded.tensors }.values("rule.warm", &[1])?[0] > 0.0;
                // While it warms up, direct feedback gives the credit.
                let bridge = Self::Bridge(Bridged::Value, condition);
                Ok(if warm { Self::Direct(Projected::Error) } else { bridge })
            }
        }
    }

    /// Whether a unit's credit is made from that of the unit above it.
    pub(super) fn comes_down(self, unit: usize) -> bool {
        match self {
            Self::Gradient { .. } | Self::Chain { .. } | Self::Replaced(_) => true,
            // The embedding has that of block 0.
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

    /// Of a network with so many blocks, the number of units whose credit comes from feedback that is saved: all but the top
    /// where it comes down, the blocks where it comes directly or from a bridge, the embedding being a copy.
    pub(super) fn fed(self, blocks: usize) -> usize {
        match self {
            Self::Gradient { .. } | Self::Replaced(Replacement::Signs) => 0,
            Self::Chain { .. } | Self::Direct(_) | Self::Bridge(..) => blocks,
            Self::Replaced(Replacement::Differences) => blocks,
        }
    }
}
