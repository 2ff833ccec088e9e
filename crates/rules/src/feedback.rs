//! Tensors that belong to a rule, foremost its fixed random feedback matrices.

use tensor::Float;
use tensor::random::Stream;

/// A named tensor of a rule, as it stands in a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved<T> {
    /// Name in the checkpoint, such as `feedback.0`.
    pub name: String,
    /// Shape, row-major.
    pub shape: Vec<usize>,
    /// Values.
    pub values: Vec<T>,
}

/// `count` matrices of `rows` × `cols` with entries N(0, 1)/√cols, named `feedback.0` and so on.
///
/// A matrix that turns a signal of `cols` features into one of `rows` then keeps its size on average.
pub fn gaussian<T: Float>(stream: &mut Stream, count: usize, rows: usize, cols: usize) -> Vec<Saved<T>> {
    let std = 1.0 / (cols as f64).sqrt();
    let matrix = |index| Saved {
        name: format!("feedback.{index}"),
        shape: vec![rows, cols],
        values: (0..rows * cols).map(|_| T::of(std * stream.normal())).collect(),
    };
    (0..count).map(matrix).collect()
}
