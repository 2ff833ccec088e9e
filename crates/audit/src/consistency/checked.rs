//! A checked record: all shapes fit, so nothing after it can fail.

use super::path::PlainPath;
use super::recorded::{PlainNetwork, Recorded};
use super::weights::Weights;
use record::Unit;

/// A checked record in f64.
#[derive(Debug)]
pub(super) struct CheckedRecord<'a> {
    pub(super) path: PlainPath,
    pub(super) weights: Weights,
    pub(super) x: Vec<f64>,
    pub(super) labels: &'a [u8],
    /// Recorded credit: entry 0 of the embedding, entry l+1 of block l.
    pub(super) credit: Vec<Vec<f64>>,
}

impl<'a> CheckedRecord<'a> {
    /// Checks a record; the error states why nothing can be compared.
    pub(super) fn read(recorded: &Recorded<'a>) -> Result<Self, String> {
        if let PlainNetwork::Student { alpha, .. } = recorded.net
            && !alpha.is_finite()
        {
            return Err(format!("the student's alpha is {alpha}"));
        }
        let path = PlainPath::read(recorded)?;
        let weights = Weights::read(recorded.tensors, &recorded.net, path)?;
        let Recorded { x, labels, credit, .. } = *recorded;
        let rows = labels.len();
        let inputs = weights.embed.weight.cols;
        let classes = weights.head.weight.rows;
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
            return Err("the inputs contain infinite values or NaN".to_owned());
        }
        if credit.len() != weights.blocks.len() + 1 {
            return Err(format!(
                "credit of {} units was recorded, but the network has {}",
                credit.len(),
                weights.blocks.len() + 1
            ));
        }
        let size = rows * weights.width();
        if let Some(unit) = (0..credit.len()).find(|&unit| credit[unit].len() != size) {
            let values = credit[unit].len();
            return Err(format!("the credit of {} has {values} values, not {size}", Unit::at(unit)));
        }
        let wide = |values: &[f32]| values.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
        Ok(Self { path, weights, x: wide(x), labels, credit: credit.iter().map(|c| wide(c)).collect() })
    }

    /// Index of the topmost unit, whose credit acts at h_L.
    pub(super) fn top(&self) -> usize {
        self.credit.len() - 1
    }
}
