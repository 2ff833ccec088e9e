//! Kolen–Pollack: separate feedback weights that learn with the forward weights until both agree (Kolen and Pollack, 1994;
//! Akrout and others, 2019).
//!
//! a_{L−1} = p_L; below, the vector-Jacobian product with R in place of every weight matrix W of a block. Skip connections are
//! unchanged.
//!
//! R is drawn from the same distribution as W and receives the gradient, moments and decay of W. Both take the same step, so
//! their difference D = R − W depends only on the decay: D shrinks by 1 − ηλ per step. D is what is saved, and R is computed as
//! W + D. A decay of .01 would leave four fifths of D after a hundred epochs, so the rule has its own decay for these matrices.
//! Everything else decays as with any other rule.

use crate::definition::Definition;
use crate::keys::DECAY;
use crate::normalise::NORMALISE;
use crate::{AfterStep, Credit, Formula, Replacement, Rule, Saved};
use nn::{Network, Tensor, Unit};
use tensor::random::{Purpose, Stream};
use tensor::{AdamW, Float};

/// Kolen–Pollack learning of the feedback weights.
#[derive(Clone, Debug)]
pub(crate) struct KolenPollack<T> {
    decay: f64,
    /// D of every weight matrix of a block, in PyTorch's order.
    difference: Vec<Saved<T>>,
    /// D in the layout of the network's parameters, 0 elsewhere.
    flat: Vec<T>,
    /// The network's parameters, with R in place of W in the blocks.
    weights: Vec<T>,
}

/// The weight matrices of the blocks.
pub(crate) fn matrices<T: Float, N: Network<T>>(net: &N) -> impl Iterator<Item = &Tensor> {
    let matrix = |tensor: &&Tensor| matches!(tensor.unit, Unit::Block(_)) && tensor.is_matrix();
    net.layout().tensors().iter().filter(matrix)
}

impl<T: Float> KolenPollack<T> {
    /// Draws R for a network with these parameters.
    fn new<N: Network<T>>(net: &N, params: &[T], decay: f64, seed: u64) -> Self {
        let drawn: Vec<T> = net.initial(Stream::new(seed, Purpose::Feedback).below(u64::MAX));
        let of = |tensor: &Tensor| {
            let r = tensor.to_torch(&drawn);
            let w = tensor.to_torch(params);
            let difference = r.iter().zip(&w).map(|(&r, &w)| r - w).collect();
            Saved::learned(format!("rule.difference.{}", tensor.name), &tensor.shape, difference)
        };
        let difference = matrices(net).map(of).collect();
        let mut rule = Self { decay, difference, flat: Vec::new(), weights: Vec::new() };
        rule.spread(net);
        rule.follow(params);
        rule
    }

    fn spread<N: Network<T>>(&mut self, net: &N) {
        self.flat = vec![T::ZERO; net.layout().len()];
        for (tensor, difference) in matrices(net).zip(&self.difference) {
            tensor.from_torch(&difference.values, &mut self.flat);
        }
    }

    /// R = W + D.
    fn follow(&mut self, params: &[T]) {
        self.weights.clear();
        self.weights.extend(params.iter().zip(&self.flat).map(|(&w, &d)| w + d));
    }
}

/// Number of values in these matrices.
fn values<T: Float, N: Network<T>>(net: &N) -> usize {
    matrices(net).map(|tensor| tensor.range.len()).sum()
}

/// Why a rule whose feedback follows the weights cannot train a network, if so.
pub(crate) fn unfit<T: Float, N: Network<T>>(net: &N) -> Option<&'static str> {
    let none = net.shape().blocks > 0 && values(net) == 0;
    none.then_some("its feedback follows the weights of the blocks, but these blocks have none")
}

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        keys: &[DECAY, NORMALISE],
        formula: |_| Some(Formula::Replaced(Replacement::Differences)),
        unfit,
        saved_values: |_, net| values(net),
        work: |_, _, inner| inner,
        ..Definition::new(
            "a_{L−1} = p_L,   a_{l−1} = a_l + (∂f_l/∂h)ᵀ a_l,\n\
             with R for every weight matrix W of f_l\n\
             R − W shrinks by 1 − ηλ per step",
            "R starts at random and receives the update of W; λ is rule.decay. a_embed likewise through \
             block 0. Kolen and Pollack, 1994; Akrout and others, 2019.",
            |spec, net, params, seed| Box::new(KolenPollack::new(net, params, spec.real(DECAY.name), seed)),
        )
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for KolenPollack<T> {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Through(&self.weights)
    }

    fn saved(&self) -> &[Saved<T>] {
        &self.difference
    }

    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut self.difference
    }

    fn refresh(&mut self, net: &N, params: &[T]) {
        self.spread(net);
        self.follow(params);
    }

    fn after_step(&mut self, step: &mut AfterStep<'_, T, N>) {
        let AdamW { lr, weight_decay, .. } = step.optimiser;
        // The optimiser has applied its usual decay to W. The rule's additional decay also acts on W before that step.
        let more = T::of(lr * (self.decay - weight_decay));
        let left = T::of(1.0 - lr * self.decay);
        for (tensor, difference) in matrices(step.net).zip(&mut self.difference) {
            // If W is frozen, its feedback is frozen too.
            if step.trained.iter().any(|range| range.contains(&tensor.range.start)) {
                let range = || tensor.range.clone();
                let flat = &mut self.flat[range()];
                for ((w, &r), &d) in
                    step.params[range()].iter_mut().zip(&self.weights[range()]).zip(flat.iter())
                {
                    *w = *w - more * (r - d);
                }
                difference.values.iter_mut().chain(flat).for_each(|d| *d *= left);
            }
        }
        self.follow(step.params);
    }

    fn redrawn(&self, net: &N, params: &[T], seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        (!self.difference.is_empty()).then(|| Box::new(Self::new(net, params, self.decay, seed)) as _)
    }
}
