//! a_{L−1} = δ_L; a_{l−1} = B_l a_l for l = L−1…1; a_embed = B_0 a_0.
//!
//! δ_L is reduced by the mean over the batch, unlike every other rule's signal. That is no slip: once the gradient
//! is small, the 1e-6 in the normalisation keeps such a credit from being blown up to unit size, and the residual
//! stream levels off where that of direct feedback alignment does not.

use crate::{Rule, Saved, Seen, gaussian};
use nn::{Network, Shape};
use tensor::random::{Purpose, Stream};
use tensor::{Float, Mat, matmul};

/// Feedback alignment with L matrices of d × d.
#[derive(Clone, Debug)]
pub struct Fa<T> {
    feedback: Vec<Saved<T>>,
    width: usize,
}

impl<T: Float> Fa<T> {
    /// Number, rows and columns of the matrices.
    pub(crate) fn matrices(shape: Shape) -> [usize; 3] {
        [shape.blocks, shape.width, shape.width]
    }

    /// Draws the matrices.
    pub fn new(shape: Shape, seed: u64) -> Self {
        let feedback = gaussian(&mut Stream::new(seed, Purpose::Feedback), Self::matrices(shape));
        Self { feedback, width: shape.width }
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Fa<T> {
    fn name(&self) -> &'static str {
        "fa"
    }

    fn top(&self, seen: &Seen<'_, T, N>, credit: &mut [T]) {
        let inverse = T::of(1.0 / seen.samples as f64);
        credit.iter_mut().zip(seen.p_last).for_each(|(a, &p)| *a = p * inverse);
    }

    fn below(&self, l: usize, _seen: &Seen<'_, T, N>, above: &[T], credit: &mut [T]) {
        let d = self.width;
        let feedback = Mat::new(&self.feedback[l].values, d, d);
        matmul(credit, T::ONE, Mat::new(above, above.len() / d, d), feedback.t());
    }

    fn saved(&self) -> &[Saved<T>] {
        &self.feedback
    }

    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut self.feedback
    }
}
