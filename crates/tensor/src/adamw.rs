//! AdamW in PyTorch's form, one pass over as many parameters as there is a gradient for.

use crate::Float;
use crate::simd::vectorised;

/// The optimiser's numbers at one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamW {
    /// Learning rate of this step.
    pub lr: f64,
    /// Decay of the first moment.
    pub beta1: f64,
    /// Decay of the second moment.
    pub beta2: f64,
    /// Added to the root of the second moment.
    pub eps: f64,
    /// Decoupled weight decay.
    pub weight_decay: f64,
}

/// The numbers of one step in the precision of the parameters, bias corrections included.
#[derive(Clone, Copy, Debug)]
pub struct Step<T> {
    size: T,
    root: T,
    decay: T,
    beta1: T,
    rest1: T,
    beta2: T,
    rest2: T,
    eps: T,
}

impl AdamW {
    /// Step number `t`, from 1.
    ///
    /// # Panics
    /// When `t` is 0.
    pub fn step<T: Float>(&self, t: u64) -> Step<T> {
        assert!(t > 0, "steps count from 1");
        let power = |beta: f64| 1.0 - libm::pow(beta, t as f64);
        Step {
            size: T::of(-self.lr / power(self.beta1)),
            root: T::of(1.0 / power(self.beta2).sqrt()),
            decay: T::of(1.0 - self.lr * self.weight_decay),
            beta1: T::of(self.beta1),
            rest1: T::of(1.0 - self.beta1),
            beta2: T::of(self.beta2),
            rest2: T::of(1.0 - self.beta2),
            eps: T::of(self.eps),
        }
    }
}

impl<T: Float> Step<T> {
    /// Moves parameters along a gradient that lies in memory.
    ///
    /// # Panics
    /// When lengths differ.
    pub fn descend(&self, params: &mut [T], first: &mut [T], second: &mut [T], gradient: &[T]) {
        let n = params.len();
        assert!(first.len() == n && second.len() == n && gradient.len() == n, "lengths agree");
        pass(*self, params, first, second, gradient);
    }
}

vectorised! {
    fn pass<T: Float>(step: Step<T>, params: &mut [T], first: &mut [T], second: &mut [T], gradient: &[T]) {
        for (i, ((p, m), v)) in params.iter_mut().zip(first).zip(second).enumerate() {
            let g = gradient[i];
            *m = step.beta1.mul_add(*m, step.rest1 * g);
            *v = step.beta2.mul_add(*v, step.rest2 * g * g);
            *p = p.mul_add(step.decay, step.size * (*m / v.sqrt().mul_add(step.root, step.eps)));
        }
    }
}
