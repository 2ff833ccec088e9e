//! Tensors that belong to a rule, foremost its fixed random feedback matrices.

use tensor::Float;
use tensor::random::{Purpose, Stream};

/// A named tensor of a rule, as it stands in a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved<T> {
    /// Name in the checkpoint, such as `feedback.0`.
    pub name: String,
    /// Shape, row-major.
    pub shape: Vec<usize>,
    /// Values.
    pub values: Vec<T>,
    /// Whether it must stay as it was drawn; an audit holds it to that.
    pub fixed: bool,
}

impl<T: Float> Saved<T> {
    /// A tensor that training changes.
    pub(crate) fn learned(name: impl Into<String>, shape: &[usize], values: Vec<T>) -> Self {
        Self { name: name.into(), shape: shape.to_vec(), values, fixed: false }
    }
}

/// Matrices of (rows, columns) with entries N(0, 1)/√columns, named `feedback.0` and so on, from the seed's own stream.
///
/// A matrix that turns a signal of one size into another then keeps its norm on average.
///
/// ```
/// let feedback = rules::gaussian::<f32>(42, [(256, 10); 4]);
/// assert_eq!((feedback.len(), feedback[3].name.as_str()), (4, "feedback.3"));
/// ```
pub fn gaussian<T: Float>(seed: u64, sizes: impl IntoIterator<Item = (usize, usize)>) -> Vec<Saved<T>> {
    let mut stream = Stream::new(seed, Purpose::Feedback);
    let matrix = |(index, (rows, cols)): (usize, (usize, usize))| {
        let std = 1.0 / (cols as f64).sqrt();
        Saved {
            name: format!("feedback.{index}"),
            shape: vec![rows, cols],
            values: (0..rows * cols).map(|_| T::of(std * stream.normal())).collect(),
            fixed: true,
        }
    };
    sizes.into_iter().enumerate().map(matrix).collect()
}
