//! Feedback that goes from the output straight to each block: B_l times a vector of one value a class.

use crate::{Saved, gaussian};
use nn::Network;
use tensor::{Float, Mat, matmul};

/// Rows and columns of the L matrices: what feedback reaches of a state, by position and then by feature, and the classes. Without
/// blocks one remains, for the embedding.
pub(crate) fn sizes<T: Float, N: Network<T>>(net: &N) -> Vec<(usize, usize)> {
    let shape = net.shape();
    let of = |l: usize| (net.state(l).reached_features(), shape.classes);
    if shape.blocks == 0 { vec![of(0)] } else { (1..=shape.blocks).map(of).collect() }
}

/// Draws the matrices.
pub(crate) fn draw<T: Float, N: Network<T>>(net: &N, seed: u64) -> Vec<Saved<T>> {
    gaussian(seed, sizes(net))
}

/// Gives each block its projection of `signal`, and the embedding that of block 0.
pub(crate) fn project<T: Float, N: Network<T>>(
    net: &N,
    feedback: &[Saved<T>],
    signal: &[T],
    credit: &mut [Vec<T>],
) {
    let classes = net.shape().classes;
    let first = credit.len() - feedback.len();
    for (l, matrix) in feedback.iter().enumerate() {
        let (state, into) = (net.state(first + l), &mut credit[first + l]);
        let (rows, reach) = (signal.len() / classes, state.reached_features());
        let (signal, matrix) =
            (Mat::new(signal, rows, classes), Mat::new(&matrix.values, reach, classes).t());
        if reach == state.width() {
            matmul(into, T::ONE, signal, matrix);
        } else {
            let mut reached = vec![T::ZERO; rows * reach];
            matmul(&mut reached, T::ONE, signal, matrix);
            for (row, value) in into.chunks_exact_mut(state.width()).zip(reached.chunks_exact(reach)) {
                row[..reach].copy_from_slice(value);
            }
        }
    }
    if let [embed, first, ..] = credit {
        embed.copy_from_slice(first);
    }
}
