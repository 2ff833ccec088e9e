//! Sign symmetry: credit is carried down through the signs of the weights, all of equal size (Liao, Leibo and Poggio, 2016).
//!
//! a_{L−1} = p_L; below, the vector-Jacobian product with R = mean|W|·sign(W) in place of every weight matrix W of a block.
//! Skip connections are unchanged. R is updated from W at each step.

use crate::definition::Definition;
use crate::kolen_pollack::{matrices, unfit};
use crate::{AfterStep, Credit, Formula, Replacement, Rule};
use nn::Network;
use tensor::Float;

/// Sign symmetry. Nothing in it is random.
#[derive(Clone, Debug)]
pub(crate) struct SignSymmetry<T> {
    /// The network's parameters, with R in place of W in the blocks.
    weights: Vec<T>,
}

impl<T: Float> SignSymmetry<T> {
    /// The rule for a network with these parameters.
    fn new<N: Network<T>>(net: &N, params: &[T]) -> Self {
        let mut rule = Self { weights: Vec::new() };
        rule.follow(net, params);
        rule
    }

    fn follow<N: Network<T>>(&mut self, net: &N, params: &[T]) {
        self.weights.clear();
        self.weights.extend_from_slice(params);
        for tensor in matrices(net) {
            let values = &mut self.weights[tensor.range.clone()];
            let mean = values.iter().map(|w| w.to_f64().abs()).sum::<f64>() / values.len() as f64;
            for w in values {
                *w = if *w > T::ZERO {
                    T::of(mean)
                } else if *w < T::ZERO {
                    T::of(-mean)
                } else {
                    T::ZERO
                };
            }
        }
    }
}

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        formula: |_| Some(Formula::Replaced(Replacement::Signs)),
        unfit,
        work: |_, _, inner| inner,
        ..Definition::new(
            "a_{L−1} = p_L,   a_{l−1} = a_l + (∂f_l/∂h)ᵀ a_l,\n\
             with R = mean|W|·sign(W) for every weight matrix W of f_l",
            "Exact transport through replaced weights; a_embed likewise through block 0. Liao, Leibo and \
             Poggio, 2016.",
            |_, net, params, _| Box::new(SignSymmetry::new(net, params)),
        )
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for SignSymmetry<T> {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Through(&self.weights)
    }

    fn refresh(&mut self, net: &N, params: &[T]) {
        self.follow(net, params);
    }

    fn after_step(&mut self, step: &mut AfterStep<'_, T, N>) {
        self.follow(step.net, step.params);
    }
}
