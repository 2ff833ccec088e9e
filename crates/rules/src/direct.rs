//! Feedback that goes from the output straight to each block: B_l times a vector of one value per class. With fixed matrices it
//! is a rule already, `dfa` or `drtp` by what is projected.

use crate::feedback::gaussian;
use crate::{BatchView, Credit, Given, Gives, Projected, Rule, Saved};
use nn::Network;
use tensor::{Float, Mat, matmul};

/// Fixed feedback: L matrices with one row per state value that receives feedback and one column per class.
#[derive(Clone, Debug)]
pub(crate) struct Direct<T> {
    feedback: Vec<Saved<T>>,
    projected: Projected,
}

impl<T: Float> Direct<T> {
    /// Draws the matrices.
    pub(crate) fn new<N: Network<T>>(net: &N, projected: Projected, seed: u64) -> Self {
        Self { feedback: draw(net, seed), projected }
    }
}

impl<T: Float, N: Network<T>> Gives<T, N> for Direct<T> {
    fn give(&self, batch: &BatchView<'_, T, N>, given: Given<'_, T>) {
        match self.projected {
            Projected::Error => project(batch.net, &self.feedback, batch.e, given.credit),
            Projected::Target => project(batch.net, &self.feedback, &minus_target(batch), given.credit),
        }
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Direct<T> {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Given(self)
    }

    fn saved(&self) -> &[Saved<T>] {
        &self.feedback
    }

    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut self.feedback
    }

    fn redrawn(&self, net: &N, _params: &[T], seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        Some(Box::new(Self::new(net, self.projected, seed)))
    }
}

/// −onehot(y) of each sample.
fn minus_target<T: Float, N: Network<T>>(batch: &BatchView<'_, T, N>) -> Vec<T> {
    let classes = batch.net.shape().classes;
    let mut target = vec![T::ZERO; batch.labels.len() * classes];
    for (row, &label) in target.chunks_exact_mut(classes).zip(batch.labels) {
        row[usize::from(label)] = T::of(-1.0);
    }
    target
}

/// Rows and columns of the L matrices: state values that receive feedback (by position, then by feature) × classes. A network
/// without blocks has one matrix, for the embedding.
pub(crate) fn sizes<T: Float, N: Network<T>>(net: &N) -> Vec<(usize, usize)> {
    let shape = net.shape();
    let of = |l: usize| (net.state(l).reached_features(), shape.classes);
    if shape.blocks == 0 { vec![of(0)] } else { (1..=shape.blocks).map(of).collect() }
}

/// Number of values in all matrices.
pub(crate) fn values<T: Float, N: Network<T>>(net: &N) -> usize {
    sizes(net).iter().map(|(rows, cols)| rows * cols).sum()
}

/// Why direct feedback cannot train a network, if so.
pub(crate) fn unfit<T: Float, N: Network<T>>(net: &N) -> Option<&'static str> {
    let differs = net.shape().blocks > 0 && net.state(0) != net.state(1);
    differs.then_some("the embedding gets the credit of the first block, but their outputs differ in size")
}

/// Draws the matrices.
pub(crate) fn draw<T: Float, N: Network<T>>(net: &N, seed: u64) -> Vec<Saved<T>> {
    gaussian(seed, sizes(net))
}

/// Gives each block its projection of `signal`; the embedding gets that of block 0.
pub(crate) fn project<T: Float, N: Network<T>>(
    net: &N,
    feedback: &[Saved<T>],
    signal: &[T],
    credit: &mut [Vec<T>],
) {
    let classes = net.shape().classes;
    let first = credit.len() - feedback.len();
    for (l, matrix) in feedback.iter().enumerate() {
        let state = net.state(first + l);
        let into = &mut credit[first + l];
        let rows = signal.len() / classes;
        let reach = state.reached_features();
        let signal = Mat::new(signal, rows, classes);
        let matrix = Mat::new(&matrix.values, reach, classes).t();
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
