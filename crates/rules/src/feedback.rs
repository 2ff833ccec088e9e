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

/// So many matrices of rows × columns with entries N(0, 1)/√columns, named `feedback.0` and so on.
///
/// A matrix that turns a signal of one size into another then keeps its norm on average.
///
/// ```
/// use tensor::random::{Purpose, Stream};
/// let feedback = rules::gaussian::<f32>(&mut Stream::new(42, Purpose::Feedback), [4, 256, 10]);
/// assert_eq!((feedback.len(), feedback[3].name.as_str()), (4, "feedback.3"));
/// ```
pub fn gaussian<T: Float>(stream: &mut Stream, [count, rows, cols]: [usize; 3]) -> Vec<Saved<T>> {
    let std = 1.0 / (cols as f64).sqrt();
    let matrix = |index| Saved {
        name: format!("feedback.{index}"),
        shape: vec![rows, cols],
        values: (0..rows * cols).map(|_| T::of(std * stream.normal())).collect(),
    };
    (0..count).map(matrix).collect()
}
