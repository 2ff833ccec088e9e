//! AdamW in one pass over the flat parameter vector, in PyTorch's form.

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

impl AdamW {
    /// Step number `t` (from 1) on a range of parameters. The gradient is the sum of `parts`, added in their order:
    /// one part a chunk of the batch, so the order never depends on which thread was faster.
    ///
    /// # Panics
    /// When lengths differ or `t` is 0.
    pub fn step<T: Float>(&self, t: u64, params: &mut [T], first: &mut [T], second: &mut [T], parts: &[&[T]]) {
        assert!(t > 0, "steps count from 1");
        let n = params.len();
        assert!(first.len() == n && second.len() == n && parts.iter().all(|p| p.len() == n), "lengths agree");
        let power = |beta: f64| 1.0 - libm::pow(beta, t as f64);
        let size = T::of(self.lr / power(self.beta1));
        let root = T::of(1.0 / power(self.beta2).sqrt());
        let decay = T::of(1.0 - self.lr * self.weight_decay);
        let (beta1, beta2, eps) = (T::of(self.beta1), T::of(self.beta2), T::of(self.eps));
        let (rest1, rest2) = (T::of(1.0 - self.beta1), T::of(1.0 - self.beta2));
        let mut update = |i: usize, g: T| {
            let m = beta1 * first[i] + rest1 * g;
            let v = beta2 * second[i] + rest2 * g * g;
            first[i] = m;
            second[i] = v;
            params[i] = params[i] * decay - size * (m / (v.sqrt() * root + eps));
        };
        vectorised(|| match parts {
            [a] => (0..n).for_each(|i| update(i, a[i])),
            [a, b] => (0..n).for_each(|i| update(i, a[i] + b[i])),
            _ => (0..n).for_each(|i| update(i, parts.iter().fold(T::ZERO, |sum, part| sum + part[i]))),
        });
    }
}
