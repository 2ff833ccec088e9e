//! Tensors with one row per sample, and the one number of samples that all of them must have.

use super::Rows;
use crate::dump::Fault;
use crate::dump::format::{Shape, Tensor};

/// Rows that still know under which name they came.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) rows: Rows,
}

/// How many samples there are, and which tensor said so first.
#[derive(Debug, Default)]
pub(super) struct Samples {
    first: Option<(String, usize)>,
}

impl Samples {
    /// How many samples there are; 0 before the first tensor.
    pub(super) fn count(&self) -> usize {
        self.first.as_ref().map_or(0, |&(_, count)| count)
    }

    /// A tensor as rows, all dimensions but the first taken together.
    pub(super) fn rows(&mut self, tensor: Tensor) -> Result<Named, Fault> {
        let Tensor { name, shape, values, .. } = tensor;
        let [samples, features @ ..] = shape.lengths() else { return Err(shapeless(&name, &shape)) };
        if features.is_empty() {
            return Err(shapeless(&name, &shape));
        }
        let samples = *samples;
        let width = features.iter().product();
        if samples == 0 || width == 0 {
            return Err(Fault::tensor(
                &name,
                format!("its shape is {}, so it holds no numbers", shape.words()),
                "dump at least one sample with its features",
            ));
        }
        self.agree(&name, samples)?;
        Ok(Named { name, rows: Rows { values, width } })
    }

    /// A family of tensors as rows.
    pub(super) fn family(&mut self, tensors: Vec<Tensor>) -> Result<Vec<Named>, Fault> {
        tensors.into_iter().map(|tensor| self.rows(tensor)).collect()
    }

    /// Refuses a number of samples that is not that of the tensors before.
    pub(super) fn agree(&mut self, name: &str, samples: usize) -> Result<(), Fault> {
        let (first, count) = self.first.get_or_insert_with(|| (name.to_owned(), samples));
        if *count == samples {
            return Ok(());
        }
        Err(Fault::layout(
            format!("{first} has {count} samples and {name} has {samples}"),
            "dump the same samples, in the same order, in every tensor",
        ))
    }
}

fn shapeless(name: &str, shape: &Shape) -> Fault {
    Fault::tensor(
        name,
        format!("its shape is {}, and it should have one row per sample", shape.words()),
        "dump it as samples × features; a single sample has the shape (1, features)",
    )
}

impl Named {
    /// Refuses rows that are not as wide as those of `state`, at which they act.
    pub(super) fn as_wide_as(&self, state: &Named, why: &str) -> Result<(), Fault> {
        if self.rows.width == state.rows.width {
            return Ok(());
        }
        Err(Fault::layout(
            format!(
                "{} has {} features and {} has {}; {why}",
                self.name, self.rows.width, state.name, state.rows.width
            ),
            "check which layer each was taken at",
        ))
    }
}
