//! a_{L−1} = p_L; below, the vector-Jacobian product with R = mean|W|·sign(W) in place of every weight matrix W of a block,
//! skip connections as they are. R follows W at each step.

use crate::{AfterStep, Lesson, Rule, Seen, Transport};
use nn::{Network, Unit};
use tensor::Float;

/// Sign symmetry. Nothing in it is random.
#[derive(Clone, Debug)]
pub struct SignSymmetry<T> {
    /// The network's parameters, with R in place of W in the blocks.
    weights: Vec<T>,
}

impl<T: Float> SignSymmetry<T> {
    /// For a network with these parameters.
    pub fn new<N: Network<T>>(net: &N, params: &[T]) -> Self {
        let mut rule = Self { weights: Vec::new() };
        rule.follow(net, params);
        rule
    }

    fn follow<N: Network<T>>(&mut self, net: &N, params: &[T]) {
        self.weights.clear();
        self.weights.extend_from_slice(params);
        for tensor in net.layout().tensors() {
            if matches!(tensor.unit, Unit::Block(_)) && tensor.is_matrix() {
                let values = &mut self.weights[tensor.range.clone()];
                let mean = values.iter().map(|w| w.to_f64().abs()).sum::<f64>() / values.len() as f64;
                let (plus, minus) = (T::of(mean), T::of(-mean));
                for w in values {
                    *w = if *w > T::ZERO {
                        plus
                    } else if *w < T::ZERO {
                        minus
                    } else {
                        T::ZERO
                    };
                }
            }
        }
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for SignSymmetry<T> {
    fn name(&self) -> &'static str {
        "sign_symmetry"
    }

    fn transport(&self) -> Transport<'_, T> {
        Transport::Through(&self.weights)
    }

    fn credit(&self, _seen: &Seen<'_, T, N>, _credit: &mut [Vec<T>], _lesson: Option<&mut Lesson<T>>) {
        unreachable!("transport through weights is the learner's");
    }

    fn refresh(&mut self, net: &N, params: &[T]) {
        self.follow(net, params);
    }

    fn after_step(&mut self, step: &mut AfterStep<'_, T, N>) {
        self.follow(step.net, step.params);
    }

    fn redrawn(&self, _net: &N, _params: &[T], _seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        None
    }
}
