//! a_l = B_l e_T for every block, and a_embed = a_0.

use crate::{Rule, Saved, Seen, gaussian};
use nn::{Network, Shape};
use tensor::random::{Purpose, Stream};
use tensor::{Float, Mat, matmul};

/// Direct feedback alignment with L matrices of d × C.
#[derive(Clone, Debug)]
pub struct Dfa<T> {
    feedback: Vec<Saved<T>>,
    shape: Shape,
}

impl<T: Float> Dfa<T> {
    /// Number, rows and columns of the matrices. Without blocks one remains, for the embedding.
    pub(crate) fn matrices(shape: Shape) -> [usize; 3] {
        [shape.blocks.max(1), shape.width, shape.classes]
    }

    /// Draws the matrices.
    pub fn new(shape: Shape, seed: u64) -> Self {
        Self { feedback: gaussian(&mut Stream::new(seed, Purpose::Feedback), Self::matrices(shape)), shape }
    }

    fn project(&self, block: usize, e: &[T], credit: &mut [T]) {
        let Shape { width, classes, .. } = self.shape;
        let feedback = Mat::new(&self.feedback[block].values, width, classes);
        matmul(credit, T::ONE, Mat::new(e, e.len() / classes, classes), feedback.t());
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Dfa<T> {
    fn name(&self) -> &'static str {
        "dfa"
    }

    fn top(&self, seen: &Seen<'_, T, N>, credit: &mut [T]) {
        self.project(self.feedback.len() - 1, seen.e, credit);
    }

    fn below(&self, l: usize, seen: &Seen<'_, T, N>, above: &[T], credit: &mut [T]) {
        match l {
            0 => credit.copy_from_slice(above),
            _ => self.project(l - 1, seen.e, credit),
        }
    }

    fn saved(&self) -> &[Saved<T>] {
        &self.feedback
    }

    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut self.feedback
    }
}
