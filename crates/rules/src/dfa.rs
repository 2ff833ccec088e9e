//! Direct feedback alignment: every block receives the output error through a fixed random matrix of its own
//! (Nøkland, 2016).
//!
//! a_l = B_l e_T for every block, and a_embed = a_0.

use crate::definition::Definition;
use crate::{BatchView, Credit, Formula, Given, Gives, Projected, Rule, Saved, direct};
use nn::Network;
use tensor::Float;

/// Direct feedback alignment with L matrices: one row per state value that receives feedback, one column per class.
#[derive(Clone, Debug)]
pub(crate) struct Dfa<T>(Vec<Saved<T>>);

impl<T: Float> Dfa<T> {
    /// Draws the matrices.
    fn new<N: Network<T>>(net: &N, seed: u64) -> Self {
        Self(direct::draw(net, seed))
    }
}

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        formula: |_| Some(Formula::Direct(Projected::Error)),
        unfit: direct::unfit,
        saved_values: |_, net| direct::values(net),
        ..Definition::new(
            "a_l = B_l e_T,   a_embed = a_0",
            "e_T = softmax(z) − onehot(y); B_l: fixed Gaussian matrices, N(0, 1/classes). Nøkland, 2016.",
            |_, net, _, seed| Box::new(Dfa::new(net, seed)),
        )
    }
}

impl<T: Float, N: Network<T>> Gives<T, N> for Dfa<T> {
    fn give(&self, batch: &BatchView<'_, T, N>, given: Given<'_, T>) {
        direct::project(batch.net, &self.0, batch.e, given.credit);
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Dfa<T> {
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
