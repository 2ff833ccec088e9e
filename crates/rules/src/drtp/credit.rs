//! a_l = −B_l onehot(y) for every block, and a_embed = a_0.

use crate::{Lesson, Rule, Saved, Seen, direct};
use nn::Network;
use tensor::Float;

/// Direct random target projection with L matrices of d × C.
#[derive(Clone, Debug)]
pub struct Drtp<T>(Vec<Saved<T>>);

impl<T: Float> Drtp<T> {
    /// Draws the matrices.
    pub fn new<N: Network<T>>(net: &N, seed: u64) -> Self {
        Self(direct::draw(net, seed))
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Drtp<T> {
    fn name(&self) -> &'static str {
        "drtp"
    }

    fn credit(&self, seen: &Seen<'_, T, N>, credit: &mut [Vec<T>], _lesson: Option<&mut Lesson<T>>) {
        let classes = seen.net.shape().classes;
        let mut target = vec![T::ZERO; seen.labels.len() * classes];
        for (row, &label) in target.chunks_exact_mut(classes).zip(seen.labels) {
            row[usize::from(label)] = T::of(-1.0);
        }
        direct::project(seen.net, &self.0, &target, credit);
    }

    fn saved(&self) -> &[Saved<T>] {
        &self.0
    }

    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut self.0
    }

    fn redrawn(&self, net: &N, _params: &[T], seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        Some(Box::new(Self::new(net, seed)))
    }
}
