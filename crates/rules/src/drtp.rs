//! Direct random target projection: every block receives the label, not the error, through a fixed random matrix. So it does
//! not have to wait for the output (Frenkel, Lefebvre and Bol, 2021).
//!
//! a_l = −B_l onehot(y) for every block, and a_embed = a_0.

use crate::definition::Definition;
use crate::{BatchView, Credit, Formula, Given, Gives, Projected, Rule, Saved, direct};
use nn::Network;
use tensor::Float;

/// Direct random target projection with L matrices of d × C.
#[derive(Clone, Debug)]
pub(crate) struct Drtp<T>(Vec<Saved<T>>);

impl<T: Float> Drtp<T> {
    /// Draws the matrices.
    fn new<N: Network<T>>(net: &N, seed: u64) -> Self {
        Self(direct::draw(net, seed))
    }
}

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        formula: |_| Some(Formula::Direct(Projected::Target)),
        unfit: |net| {
            let unlabelled = (!net.classifies()).then_some("it projects labels, but this task has none");
            direct::unfit(net).or(unlabelled)
        },
        saved_values: |_, net| direct::values(net),
        ..Definition::new(
            "a_l = −B_l onehot(y),   a_embed = a_0",
            "B_l: fixed Gaussian matrices, as in dfa. The label alone decides, not the error. Frenkel, \
             Lefebvre and Bol, 2021.",
            |_, net, _, seed| Box::new(Drtp::new(net, seed)),
        )
    }
}

impl<T: Float, N: Network<T>> Gives<T, N> for Drtp<T> {
    fn give(&self, batch: &BatchView<'_, T, N>, given: Given<'_, T>) {
        let classes = batch.net.shape().classes;
        let mut target = vec![T::ZERO; batch.labels.len() * classes];
        for (row, &label) in target.chunks_exact_mut(classes).zip(batch.labels) {
            row[usize::from(label)] = T::of(-1.0);
        }
        direct::project(batch.net, &self.0, &target, given.credit);
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Drtp<T> {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Given(self)
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
