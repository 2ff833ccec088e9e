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

/// The numbers in the precision of the parameters, bias corrections included.
#[derive(Clone, Copy)]
pub(crate) struct Factors<T> {
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
    /// Step number `t` (from 1) on a range of parameters. The gradient is the sum of `parts`, added in their order:
    /// one part a chunk of the batch, so the order never depends on which thread was faster.
    ///
    /// # Panics
    /// When lengths differ or `t` is 0.
    pub fn step<T: Float>(
        &self,
        t: u64,
        params: &mut [T],
        first: &mut [T],
        second: &mut [T],
        parts: &[&[T]],
    ) {
        assert!(t > 0, "steps count from 1");
        let n = params.len();
        assert!(first.len() == n && second.len() == n && parts.iter().all(|p| p.len() == n), "lengths agree");
        let power = |beta: f64| 1.0 - libm::pow(beta, t as f64);
        let factors = Factors {
            size: T::of(self.lr / power(self.beta1)),
            root: T::of(1.0 / power(self.beta2).sqrt()),
            decay: T::of(1.0 - self.lr * self.weight_decay),
            beta1: T::of(self.beta1),
            rest1: T::of(1.0 - self.beta1),
            beta2: T::of(self.beta2),
            rest2: T::of(1.0 - self.beta2),
            eps: T::of(self.eps),
        };
        update(factors, params, first, second, parts);
    }
}

vectorised! {
    /// The pass itself. One or two parts are added on the way; more are rare and are added value by value.
    fn update<T: Float>(f: Factors<T>, params: &mut [T], first: &mut [T], second: &mut [T], parts: &[&[T]]) {
        match *parts {
            [a] => pass(f, params, first, second, |i| a[i]),
            [a, b] => pass(f, params, first, second, |i| a[i] + b[i]),
            _ => pass(f, params, first, second, |i| parts.iter().fold(T::ZERO, |sum, part| sum + part[i])),
        }
    }
}

#[inline(always)]
fn pass<T: Float>(
    f: Factors<T>,
    params: &mut [T],
    first: &mut [T],
    second: &mut [T],
    gradient: impl Fn(usize) -> T,
) {
    for (i, ((p, m), v)) in params.iter_mut().zip(first).zip(second).enumerate() {
        let g = gradient(i);
        *m = f.beta1 * *m + f.rest1 * g;
        *v = f.beta2 * *v + f.rest2 * g * g;
        *p = *p * f.decay - f.size * (*m / (v.sqrt() * f.root + f.eps));
    }
}
