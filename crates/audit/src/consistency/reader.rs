//! Saved tensors by name, with shapes and values checked.

use super::matrix::Matrix;
use super::recorded::PlainTensor;
use super::weights::{Linear, Norm};
use std::collections::BTreeMap;

/// Returns tensors whose shape and values are right; an error names the one that is not.
#[derive(Clone, Copy, Debug)]
pub(super) struct TensorReader<'a> {
    pub(super) tensors: &'a BTreeMap<String, PlainTensor>,
}

impl TensorReader<'_> {
    fn get(&self, name: &str) -> Result<&PlainTensor, String> {
        self.tensors.get(name).ok_or_else(|| format!("the tensor `{name}` is missing"))
    }

    /// Rows and columns of a matrix, by its own shape.
    pub(super) fn sizes(&self, name: &str) -> Result<(usize, usize), String> {
        match self.get(name)?.shape[..] {
            [rows, cols] if rows > 0 && cols > 0 => Ok((rows, cols)),
            ref shape => Err(format!("the tensor `{name}` has shape {shape:?}, which no weight can have")),
        }
    }

    /// A vector of any length.
    pub(super) fn vector(&self, name: &str) -> Result<Vec<f64>, String> {
        match self.get(name)?.shape[..] {
            [length] => self.values(name, &[length]),
            ref shape => Err(format!("the tensor `{name}` has shape {shape:?}, which no vector can have")),
        }
    }

    pub(super) fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f64>, String> {
        let tensor = self.get(name)?;
        if tensor.shape != shape {
            return Err(format!("the tensor `{name}` has shape {:?}, not {shape:?}", tensor.shape));
        }
        let values = &tensor.values;
        if values.len() != shape.iter().product::<usize>() {
            return Err(format!("the tensor `{name}` has {} values for the shape {shape:?}", values.len()));
        }
        if !values.iter().all(|x| x.is_finite()) {
            return Err(format!("the tensor `{name}` contains infinite values or NaN"));
        }
        Ok(values.clone())
    }

    pub(super) fn matrix(&self, name: &str, rows: usize, cols: usize) -> Result<Matrix, String> {
        Ok(Matrix { rows, cols, values: self.values(name, &[rows, cols])? })
    }

    pub(super) fn linear(&self, name: &str, outputs: usize, inputs: usize) -> Result<Linear, String> {
        let weight = self.matrix(&format!("{name}.weight"), outputs, inputs)?;
        Ok(Linear { weight, bias: self.values(&format!("{name}.bias"), &[outputs])? })
    }

    pub(super) fn norm(&self, name: &str, d: usize) -> Result<Norm, String> {
        let values = |kind: &str| self.values(&format!("{name}.{kind}"), &[d]);
        Ok(Norm { weight: values("weight")?, bias: values("bias")? })
    }
}
