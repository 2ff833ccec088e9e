//! AdamW in PyTorch's form, one pass over the parameters of a gradient.

use crate::Float;
use crate::simd::vectorised;

/// The optimiser's hyper-parameters at one step.
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

/// The coefficients of one step in the precision of the parameters, bias corrections included.
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
    least: T,
    least_squared: T,
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
            least: T::of(2.0 * T::MIN_POSITIVE / (1.0 - self.beta1)),
            least_squared: T::of(2.0 * (T::MIN_POSITIVE / (1.0 - self.beta2)).sqrt()),
        }
    }
}

impl<T: Float> Step<T> {
    /// Moves parameters along a gradient.
    ///
    /// # Panics
    /// When lengths differ.
    pub fn descend(&self, params: &mut [T], first: &mut [T], second: &mut [T], gradient: &[T]) {
        let n = params.len();
        assert!(first.len() == n && second.len() == n && gradient.len() == n, "lengths agree");
        pass(*self, params, first, second, gradient);
    }
}

/// `x`, or zero where it is smaller than `least`.
#[inline(always)]
fn unless_below<T: Float>(x: T, least: T) -> T {
    if x < least && x > T::ZERO - least { T::ZERO } else { x }
}

vectorised! {
    fn pass<T: Float>(step: Step<T>, params: &mut [T], first: &mut [T], second: &mut [T], gradient: &[T]) {
        for (i, ((p, m), v)) in params.iter_mut().zip(first).zip(second).enumerate() {
            // A gradient too small for a moment's precision is left out of it, and a subnormal moment becomes 0: both are
            // negligible compared with `eps`, and a processor may need a hundred times as long for each.
            let for_first = unless_below(gradient[i], step.least);
            let for_second = unless_below(gradient[i], step.least_squared);
            *m = step.beta1.mul_add(*m, step.rest1 * for_first).flushed();
            *v = step.beta2.mul_add(*v, step.rest2 * for_second * for_second).flushed();
            *p = p.mul_add(step.decay, step.size * (*m / v.sqrt().mul_add(step.root, step.eps)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADAMW: AdamW = AdamW { lr: 1e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };

    /// Gradients of all magnitudes, and then none: moments stay normal numbers or become 0, and parameters follow those of
    /// f64, which can represent such moments.
    #[test]
    fn small_gradients_leave_no_subnormals() {
        let gradients: Vec<f32> =
            (0..46).map(|i| -libm::exp10(-f64::from(i)) as f32).chain([f32::NAN]).collect();
        let n = gradients.len();
        let mut p = vec![0.25f32; n];
        let [mut m, mut v] = [(); 2].map(|()| vec![0.0f32; n]);
        let mut exact = vec![0.25f64; n];
        let [mut m64, mut v64] = [(); 2].map(|()| vec![0.0f64; n]);
        for t in 1..=3000 {
            let now: Vec<f32> =
                gradients.iter().map(|&g| if t <= 100 || g.is_nan() { g } else { 0.0 }).collect();
            let wide: Vec<f64> = now.iter().map(|&g| f64::from(g)).collect();
            ADAMW.step(t).descend(&mut p, &mut m, &mut v, &now);
            ADAMW.step(t).descend(&mut exact, &mut m64, &mut v64, &wide);
            assert!(m.iter().chain(&v).all(|x| !x.is_subnormal()), "after step {t}");
        }
        assert!(m64[20] > -1e-36 && m64[20] != 0.0 && m[20] == 0.0, "it has ended");
        // Each step rounds the parameter by half a unit in its last place at most.
        for (p, exact) in p.iter().zip(&exact).take(46) {
            assert!(
                (f64::from(*p) - exact).abs() < 3000.0 * f64::from(f32::EPSILON) / 4.0,
                "{p} for {exact}"
            );
        }
        assert!(p[46].is_nan() && m[46].is_nan() && v[46].is_nan());
    }
}
