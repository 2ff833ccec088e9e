//! Tensors with one row per sample, and the number of samples that they must share.

use super::DumpRows;
use crate::dump::DumpFault;
use arrays::{Tensor, TensorShape};

/// Rows with the name of their tensor.
#[derive(Debug)]
pub(super) struct NamedRows {
    pub(super) name: String,
    pub(super) rows: DumpRows,
    /// Lengths of the dimensions behind the samples.
    pub(super) features: Vec<usize>,
}

/// The number of samples, and the first tensor that had it.
#[derive(Debug, Default)]
pub(super) struct SampleCount {
    first: Option<(String, usize)>,
}

impl SampleCount {
    /// The number of samples; 0 before the first tensor.
    pub(super) fn count(&self) -> usize {
        self.first.as_ref().map_or(0, |&(_, count)| count)
    }

    /// A tensor as rows; all dimensions but the first are flattened.
    pub(super) fn rows(&mut self, tensor: Tensor) -> Result<NamedRows, DumpFault> {
        let Tensor { name, shape, values, .. } = tensor;
        let [samples, features @ ..] = shape.lengths() else { return Err(shapeless(&name, &shape)) };
        if features.is_empty() {
            return Err(shapeless(&name, &shape));
        }
        let samples = *samples;
        let features = features.to_vec();
        let width = features.iter().product();
        if samples == 0 || width == 0 {
            return Err(DumpFault::tensor(
                &name,
                format!("its shape is {}, so it is empty", shape.words()),
                "dump at least one sample with its features",
            ));
        }
        self.agree(&name, samples)?;
        Ok(NamedRows { name, rows: DumpRows { values, width }, features })
    }

    /// A family of tensors as rows.
    pub(super) fn family(&mut self, tensors: Vec<Tensor>) -> Result<Vec<NamedRows>, DumpFault> {
        tensors.into_iter().map(|tensor| self.rows(tensor)).collect()
    }

    /// Refuses a number of samples that differs from that of earlier tensors.
    pub(super) fn agree(&mut self, name: &str, samples: usize) -> Result<(), DumpFault> {
        let (first, count) = self.first.get_or_insert_with(|| (name.to_owned(), samples));
        if *count == samples {
            return Ok(());
        }
        Err(DumpFault::layout(
            format!("{first} has {count} samples and {name} has {samples}"),
            "dump the same samples, in the same order, in every tensor",
        ))
    }
}

fn shapeless(name: &str, shape: &TensorShape) -> DumpFault {
    DumpFault::tensor(
        name,
        format!("its shape is {}, and it should have one row per sample", shape.words()),
        "dump it as samples × features; a single sample has the shape (1, features)",
    )
}

impl NamedRows {
    /// Refuses rows that are not as wide as those of `state`, at which they act.
    pub(super) fn as_wide_as(&self, state: &NamedRows, why: &str) -> Result<(), DumpFault> {
        if self.rows.width == state.rows.width {
            return Ok(());
        }
        Err(DumpFault::layout(
            format!(
                "{} has {} features and {} has {}; {why}",
                self.name, self.rows.width, state.name, state.rows.width
            ),
            "check which layer each was saved from",
        ))
    }
}
