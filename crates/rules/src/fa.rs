//! Feedback alignment: the true gradient at the top, carried down by fixed random matrices instead of the transposed Jacobians
//! (Lillicrap and others, 2016).
//!
//! a_{L−1} = δ_L; a_{l−1} = B_l a_l for l = L−1…1; a_embed = B_0 a_0.
//!
//! With credit normalised by sample, δ_L = p_L / N is reduced by the mean over the batch, unlike every other rule's signal, as
//! published: once the gradient is small, the 1e-6 in the normalisation keeps such a credit from being scaled up to unit size,
//! and the residual stream levels off where that of direct feedback alignment does not. Otherwise δ_L = p_L, as in
//! backpropagation: every update takes the mean over the batch, and p_L / N would be averaged twice.
//!
//! If states have positions, the same matrix acts on each position. If a block has fewer positions than the block below, each
//! position passes its credit to the positions that it covers.

use crate::definition::Definition;
use crate::feedback::gaussian;
use crate::{BatchView, Credit, Formula, Given, Gives, Normalise, Rule, RuleSpec, Saved};
use nn::{Network, State};
use tensor::{Float, Mat, matmul};

/// Feedback alignment with L matrices, d × d if all states have the same size.
#[derive(Clone, Debug)]
pub(crate) struct Fa<T> {
    feedback: Vec<Saved<T>>,
    /// Whether δ_L is p_L / N.
    averaged: bool,
}

/// Whether δ_L is p_L / N.
fn averaged(spec: &RuleSpec) -> bool {
    Normalise::of(spec) == Normalise::Sample
}

impl<T: Float> Fa<T> {
    /// Rows and columns of each matrix.
    fn sizes<N: Network<T>>(net: &N) -> Vec<(usize, usize)> {
        (0..net.shape().blocks).map(|l| (net.state(l).features, net.state(l + 1).features)).collect()
    }

    /// Draws the matrices.
    fn new<N: Network<T>>(averaged: bool, net: &N, seed: u64) -> Self {
        Self { feedback: gaussian(seed, Self::sizes(net)), averaged }
    }
}

/// B times the credit above, for each position.
fn carry<T: Float>(feedback: &[T], (high, above): (State, &[T]), (low, below): (State, &mut [T])) {
    let feedback = || Mat::new(feedback, low.features, high.features).t();
    if high.positions == low.positions && high.reached == high.positions {
        let above = Mat::new(above, above.len() / high.features, high.features);
        return matmul(below, T::ONE, above, feedback());
    }
    let mut carried = vec![T::ZERO; high.reached * low.features];
    for (above, below) in above.chunks_exact(high.width()).zip(below.chunks_exact_mut(low.width())) {
        let above = Mat::new(&above[..high.reached_features()], high.reached, high.features);
        matmul(&mut carried, T::ONE, above, feedback());
        for (position, row) in below[..low.reached_features()].chunks_exact_mut(low.features).enumerate() {
            let from = covering(position, low.reached, high.reached);
            row.copy_from_slice(&carried[from * low.features..][..low.features]);
        }
    }
}

/// The index of the position in a coarser square of `few` positions that covers this position of a square of `many`.
fn covering(position: usize, many: usize, few: usize) -> usize {
    let fine = many.isqrt();
    let coarse = few.isqrt();
    if many == few {
        position
    } else {
        position / fine * coarse / fine * coarse + position % fine * coarse / fine
    }
}

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        formula: |spec| Some(Formula::Chain { averaged: averaged(spec) }),
        saved_values: |_, net| Fa::<T>::sizes(net).iter().map(|(rows, cols)| rows * cols).sum(),
        ..Definition::new(
            "a_{L−1} = δ_L,   a_{l−1} = B_l a_l,   a_embed = B_0 a_0",
            "B_l: fixed Gaussian matrices, N(0, 1/d). With credit normalised by sample δ_L = p_L / N, the \
             gradient of the batch mean, as published; otherwise δ_L = p_L. Lillicrap and others, 2016.",
            |spec, net, _, seed| Box::new(Fa::new(averaged(spec), net, seed)),
        )
    }
}

impl<T: Float, N: Network<T>> Gives<T, N> for Fa<T> {
    fn give(&self, batch: &BatchView<'_, T, N>, Given { credit, .. }: Given<'_, T>) {
        let blocks = self.feedback.len();
        let inverse = if self.averaged { T::of(1.0 / batch.samples as f64) } else { T::ONE };
        credit[blocks].iter_mut().zip(batch.p_last).for_each(|(a, &p)| *a = p * inverse);
        for (l, matrix) in self.feedback.iter().enumerate().rev() {
            let (lower, upper) = credit.split_at_mut(l + 1);
            let high = batch.net.state(l + 1);
            let low = batch.net.state(l);
            carry(&matrix.values, (high, &upper[0]), (low, &mut lower[l]));
        }
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Fa<T> {
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
        // Without blocks there is no matrix.
        (!self.feedback.is_empty()).then(|| Box::new(Self::new(self.averaged, net, seed)) as _)
    }
}

#[cfg(test)]
mod tests {
    use super::covering;

    #[test]
    fn a_coarse_position_covers_a_square_of_fine_ones() {
        let of = |position| covering(position, 16, 4);
        assert_eq!([0, 1, 4, 5].map(of), [0; 4]);
        assert_eq!([2, 3, 6, 7].map(of), [1; 4]);
        assert_eq!([8, 9, 12, 13].map(of), [2; 4]);
        assert_eq!([10, 11, 14, 15].map(of), [3; 4]);
        assert_eq!((0..9).map(|p| covering(p, 9, 9)).collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
    }
}
