//! a_l = B_l e_T for every block, and a_embed = a_0.

use crate::{Lesson, Rule, Saved, Seen, direct};
use nn::Network;
use tensor::Float;

/// Direct feedback alignment with L matrices, as many rows as feedback reaches of a state, a column a class.
#[derive(Clone, Debug)]
pub struct Dfa<T>(Vec<Saved<T>>);

impl<T: Float> Dfa<T> {
    /// Draws the matrices.
    pub fn new<N: Network<T>>(net: &N, seed: u64) -> Self {
        Self(direct::draw(net, seed))
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Dfa<T> {
    fn name(&self) -> &'static str {
        "dfa"
    }

    fn credit(&self, seen: &Seen<'_, T, N>, credit: &mut [Vec<T>], _lesson: Option<&mut Lesson<T>>) {
        direct::project(seen.net, &self.0, seen.e, credit);
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
