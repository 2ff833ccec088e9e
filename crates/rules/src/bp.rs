//! Backpropagation: the credit of every unit is the gradient of each sample's own loss at its output.
//!
//! a_{L−1} = p_L, and exact transport below: a_l = p_{l+1}, a_embed = p_0. The gradient of a penalty comes down with it, as long as
//! credit is not normalised.

use crate::definition::Definition;
use crate::normalise::NOT_NORMALISED;
use crate::{Credit, Formula, Normalise, Rule};
use nn::Network;
use tensor::Float;

/// Backpropagation.
#[derive(Clone, Copy, Debug)]
pub struct Bp;

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        keys: &[NOT_NORMALISED],
        formula: |spec| Some(Formula::Gradient { penalised: Normalise::of(spec) == Normalise::None }),
        ..Definition::new(
            "a_{L−1} = p_L,   a_l = p_{l+1},   a_embed = p_0",
            "The gradient of each sample's own loss at the unit's output, carried down exactly. It is used \
             as it is: every update takes the mean over the batch, so the step is that of the mean loss.",
            |_, _, _, _| Box::new(Bp),
        )
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Bp {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Exact
    }
}
