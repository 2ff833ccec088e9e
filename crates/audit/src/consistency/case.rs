//! A record that was checked: everything fits, so what follows cannot fail.

use super::reader::Reader;
use super::recorded::{PlainCondition, PlainNetwork, Recorded};
use super::weights::Weights;
use record::Unit;

/// The rules that have a plain path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    Bp { penalty: f64 },
    Fa { batch: f64 },
    Dfa,
    Drtp,
    SignSymmetry,
    KolenPollack,
    StateBridge(PlainCondition),
    CreditBridge(PlainCondition),
}

impl Rule {
    fn read(recorded: &Recorded<'_>) -> Result<Self, String> {
        match recorded.rule {
            "bp" if !recorded.penalty.is_finite() => Err(format!("the penalty is {}", recorded.penalty)),
            "bp" => Ok(Self::Bp { penalty: recorded.penalty }),
            "fa" if recorded.batch == 0 => Err("the mean that fa takes is over no samples".to_owned()),
            "fa" => Ok(Self::Fa { batch: recorded.batch as f64 }),
            "dfa" => Ok(Self::Dfa),
            "drtp" => Ok(Self::Drtp),
            "sign_symmetry" => Ok(Self::SignSymmetry),
            "kolen_pollack" => Ok(Self::KolenPollack),
            // Without blocks there is nothing to bridge, and the embedding is given p_L itself.
            "state_bridge" | "credit_bridge" if recorded.net.blocks() == Some(0) => {
                Ok(Self::Bp { penalty: 0.0 })
            }
            "state_bridge" => Ok(Self::StateBridge(recorded.condition)),
            "credit_bridge" => {
                let warm = Reader { tensors: recorded.tensors }.values("rule.warm", &[1])?[0] > 0.0;
                // While it warms up, direct feedback gives the credit.
                Ok(if warm { Self::Dfa } else { Self::CreditBridge(recorded.condition) })
            }
            name => Err(format!("no plain path for the rule {name}")),
        }
    }

    /// Whether a unit's credit is made from that of the unit above it.
    pub(super) fn comes_down(self, unit: usize) -> bool {
        match self {
            Self::Bp { .. } | Self::Fa { .. } | Self::SignSymmetry | Self::KolenPollack => true,
            // The embedding has that of block 0.
            Self::Dfa | Self::Drtp | Self::StateBridge(_) | Self::CreditBridge(_) => unit == 0,
        }
    }

    /// Number and columns of its feedback matrices.
    pub(super) fn matrices(self, blocks: usize, d: usize, classes: usize) -> (usize, usize) {
        match self {
            Self::Bp { .. } | Self::SignSymmetry | Self::KolenPollack => (0, 0),
            Self::StateBridge(_) | Self::CreditBridge(_) => (0, 0),
            Self::Fa { .. } => (blocks, d),
            // Without blocks one matrix remains, for the embedding.
            Self::Dfa | Self::Drtp => (blocks.max(1), classes),
        }
    }

    /// Of a network with so many blocks, the number of units whose credit comes from feedback that is saved: all but the top
    /// where it comes down, the blocks where it comes directly or from a bridge, the embedding being a copy.
    pub(super) fn fed(self, blocks: usize) -> usize {
        match self {
            Self::Bp { .. } | Self::SignSymmetry => 0,
            Self::Fa { .. } | Self::Dfa | Self::Drtp | Self::KolenPollack => blocks,
            Self::StateBridge(_) | Self::CreditBridge(_) => blocks,
        }
    }
}

/// A checked record in f64.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) rule: Rule,
    pub(super) weights: Weights,
    pub(super) x: Vec<f64>,
    pub(super) labels: &'a [u8],
    /// Recorded credit: entry 0 of the embedding, entry l+1 of block l.
    pub(super) credit: Vec<Vec<f64>>,
}

impl<'a> Case<'a> {
    /// Checks a record, or says why nothing can be compared.
    pub(super) fn read(recorded: &Recorded<'a>) -> Result<Self, String> {
        if let PlainNetwork::Student { alpha, .. } = recorded.net
            && !alpha.is_finite()
        {
            return Err(format!("the student's alpha is {alpha}"));
        }
        let rule = Rule::read(recorded)?;
        let weights = Weights::read(recorded.tensors, &recorded.net, rule)?;
        let Recorded { x, labels, credit, .. } = *recorded;
        let (rows, inputs, classes) = (labels.len(), weights.embed.weight.cols, weights.head.weight.rows);
        if rows == 0 {
            return Err("the batch has no samples".to_owned());
        }
        if x.len() != rows * inputs {
            return Err(format!("{rows} samples of {inputs} inputs have {} values", x.len()));
        }
        if let Some(label) = labels.iter().find(|label| usize::from(**label) >= classes) {
            return Err(format!("a sample has the label {label}, but there are {classes} classes"));
        }
        if !x.iter().all(|x| x.is_finite()) {
            return Err("the inputs hold values that are infinite or not numbers".to_owned());
        }
        if credit.len() != weights.blocks.len() + 1 {
            return Err(format!(
                "credit of {} units was recorded, where the network has {}",
                credit.len(),
                weights.blocks.len() + 1
            ));
        }
        let size = rows * weights.width();
        if let Some(unit) = (0..credit.len()).find(|&unit| credit[unit].len() != size) {
            let (unit, values) = (Unit::at(unit), credit[unit].len());
            return Err(format!("the credit of {unit} has {values} values, not {size}"));
        }
        let wide = |values: &[f32]| values.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
        Ok(Self { rule, weights, x: wide(x), labels, credit: credit.iter().map(|c| wide(c)).collect() })
    }

    /// Index of the topmost unit, whose credit acts at h_L.
    pub(super) fn top(&self) -> usize {
        self.credit.len() - 1
    }
}
