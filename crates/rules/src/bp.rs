//! Backpropagation: the credit of every unit is the gradient of each sample's own loss at its output.
//!
//! a_{L−1} = p_L, with exact transport below it: a_l = p_{l+1}, a_embed = p_0.

use crate::definition::Definition;
use crate::{Credit, Formula, Rule};
use nn::Network;
use tensor::Float;

/// Backpropagation.
#[derive(Clone, Copy, Debug)]
pub struct Bp;

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition { formula: |_| Some(Formula::Gradient), ..Definition::new(|_, _, _, _| Box::new(Bp)) }
}

impl<T: Float, N: Network<T>> Rule<T, N> for Bp {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Exact
    }
}
