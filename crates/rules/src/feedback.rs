//! Fixed random feedback matrices.

use crate::Saved;
use tensor::Float;
use tensor::random::{Purpose, Stream};

/// Matrices of (rows, columns) with entries N(0, 1)/√columns, named `feedback.0` and so on, drawn from the seed's own stream.
///
/// Such a matrix preserves the root mean square of a signal on average.
pub(crate) fn gaussian<T: Float>(
    seed: u64,
    sizes: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<Saved<T>> {
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
