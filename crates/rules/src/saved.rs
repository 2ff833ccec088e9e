//! Tensors that belong to a rule.

use tensor::Float;

/// A named tensor of a rule, as saved in a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved<T> {
    /// Name in the checkpoint, such as `feedback.0`.
    pub name: String,
    /// Shape, row-major.
    pub shape: Vec<usize>,
    /// Values.
    pub values: Vec<T>,
    /// Whether it must stay as it was drawn; an audit checks that.
    pub fixed: bool,
}

impl<T: Float> Saved<T> {
    /// A tensor that training changes.
    pub(crate) fn learned(name: impl Into<String>, shape: &[usize], values: Vec<T>) -> Self {
        Self { name: name.into(), shape: shape.to_vec(), values, fixed: false }
    }
}
