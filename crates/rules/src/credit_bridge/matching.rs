//! The gradient of ‖∇V − p_L‖²/(‖p_L‖² + ε) by the net's parameters, second derivatives written out.
//!
//! With u = the derivative of that loss by ∇V, held constant, its gradient is that of ⟨∇V, u⟩: of the slope of V when the state
//! moves along u. Dots are such slopes, φ = tanh, x the net's row:
//!
//! ```text
//! forward    ȧ1 = ẋ W1    ż1 = φ'(a1) ȧ1    ȧ2 = ż1 W2    ż2 = φ'(a2) ȧ2    V̇ = ż2 w3
//! backward   s2 = φ'(a2) w3ᵀ                r2 = φ''(a2) ȧ2 w3ᵀ
//!            s1 = φ'(a1) (s2 W2ᵀ)           r1 = φ''(a1) ȧ1 (s2 W2ᵀ) + φ'(a1) (r2 W2ᵀ)
//! gradient   dw3 = ż2     dW2 = ż1ᵀ s2 + z1ᵀ r2,  db2 = r2     dW1 = ẋᵀ s1 + xᵀ r1,  db1 = r1
//! ```

use crate::bridge::{Kept, Perceptron};
use tensor::Float;

/// Everything that enters the gradient, row by row.
pub(super) struct Slopes<T> {
    /// ẋ, ż1, ż2: inputs of the three layers.
    pub(super) moved: [Vec<T>; 3],
    /// s1, s2, and the scalar's own signal, 1 for each row: they meet the inputs that move.
    pub(super) s: [Vec<T>; 3],
    /// r1, r2 and zeros: they meet the inputs themselves, and the biases.
    pub(super) r: [Vec<T>; 3],
}

impl<T: Float> Slopes<T> {
    /// For rows of which the forward pass kept `kept` and which move along `moved`.
    pub(super) fn new(net: &Perceptron<T>, params: &[T], kept: &Kept<T>, moved: Vec<T>) -> Self {
        let rows = kept.out.len();
        let times = |a: &[T], b: &[T]| -> Vec<T> { a.iter().zip(b).map(|(&a, &b)| a * b).collect() };
        let a1 = net.through(params, 0, &moved);
        let z1 = times(&a1, &kept.slope[0]);
        let a2 = net.through(params, 1, &z1);
        let z2 = times(&a2, &kept.slope[1]);
        let one = vec![T::ONE; rows];
        let w3 = net.back(params, 2, &one);
        let s2 = times(&w3, &kept.slope[1]);
        let r2 = times(&times(&w3, &a2), &curvature(kept, 1));
        let (down, turned) = (net.back(params, 1, &s2), net.back(params, 1, &r2));
        let s1 = times(&down, &kept.slope[0]);
        let mut r1 = times(&times(&down, &a1), &curvature(kept, 0));
        r1.iter_mut().zip(times(&turned, &kept.slope[0])).for_each(|(r, more)| *r += more);
        Self { moved: [moved, z1, z2], s: [s1, s2, one], r: [r1, r2, vec![T::ZERO; rows]] }
    }
}

/// φ'' = −2·φ·φ' of the hyperbolic tangent.
fn curvature<T: Float>(kept: &Kept<T>, layer: usize) -> Vec<T> {
    let of = |(&act, &slope): (&T, &T)| T::of(-2.0) * act * slope;
    kept.act[layer].iter().zip(&kept.slope[layer]).map(of).collect()
}
