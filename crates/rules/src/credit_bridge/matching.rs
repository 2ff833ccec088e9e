//! The parameter gradient of ‖∇V − p_L‖²/(‖p_L‖² + ε), with second derivatives written out.
//!
//! Let u be the derivative of that loss with respect to ∇V, held constant. The parameter gradient is then that of ⟨∇V, u⟩, the
//! slope of V when the state moves along u. A dot marks such a slope, φ is GELU, and x is the net's input row:
//!
//! ```text
//! forward    ȧ1 = ẋ W1    ż1 = φ'(a1) ȧ1    ȧ2 = ż1 W2    ż2 = φ'(a2) ȧ2    V̇ = ż2 w3
//! backward   s2 = φ'(a2) w3ᵀ                r2 = φ''(a2) ȧ2 w3ᵀ
//!            s1 = φ'(a1) (s2 W2ᵀ)           r1 = φ''(a1) ȧ1 (s2 W2ᵀ) + φ'(a1) (r2 W2ᵀ)
//! gradient   dw3 = ż2     dW2 = ż1ᵀ s2 + z1ᵀ r2,  db2 = r2     dW1 = ẋᵀ s1 + xᵀ r1,  db1 = r1
//! ```

use crate::bridge::{Kept, Perceptron};
use tensor::Float;

/// All factors of the gradient, row by row.
#[derive(Debug, Default)]
pub(super) struct Slopes<T> {
    /// ẋ, ż1, ż2: inputs of the three layers.
    pub(super) moved: [Vec<T>; 3],
    /// s1, s2, and the signal at the output (1 at the outputs that V reads, 0 elsewhere); multiplied with the moving inputs.
    pub(super) s: [Vec<T>; 3],
    /// r1, r2 and zeros; multiplied with the inputs themselves, and summed for the biases.
    pub(super) r: [Vec<T>; 3],
    a1: Vec<T>,
    a2: Vec<T>,
    /// φ'' at both hidden layers.
    bend: [Vec<T>; 2],
    down: Vec<T>,
    turned: Vec<T>,
}

impl<T: Float> Slopes<T> {
    /// Computes the slopes for the input rows `rows`, whose forward pass saved `kept`. The caller has set ẋ and the signal at
    /// the output.
    pub(super) fn find(&mut self, net: &Perceptron<T>, params: &[T], rows: &[T], kept: &Kept<T>) {
        let Self { moved: [x, z1, z2], s: [s1, s2, output], r: [r1, r2, zero], a1, a2, bend, down, turned } =
            self;
        for (layer, (bend, input)) in bend.iter_mut().zip([rows, &kept.act[0]]).enumerate() {
            net.before(params, layer, input, bend);
            bend.iter_mut().for_each(|z| *z = curvature(*z));
        }
        let [slope1, slope2] = &kept.slope;
        let [bend1, bend2] = &*bend;
        net.through(params, 0, x, a1);
        times(a1, slope1, z1);
        net.through(params, 1, z1, a2);
        times(a2, slope2, z2);
        zero.clear();
        zero.resize(output.len(), T::ZERO);
        net.back(params, 2, output, down);
        times(down, slope2, s2);
        bent(down, a2, bend2, r2);
        net.back(params, 1, s2, down);
        net.back(params, 1, r2, turned);
        times(down, slope1, s1);
        bent(down, a1, bend1, r1);
        r1.iter_mut().zip(turned.iter().zip(slope1)).for_each(|(r, (&t, &slope))| *r += t * slope);
    }
}

fn times<T: Float>(a: &[T], b: &[T], out: &mut Vec<T>) {
    out.clear();
    out.extend(a.iter().zip(b).map(|(&a, &b)| a * b));
}

/// φ'' of GELU: (2 − z²)·exp(−z²/2)/√2π.
fn curvature<T: Float>(z: T) -> T {
    let square = z * z;
    let density = T::of(0.398_942_280_401_432_7) * (T::of(-0.5) * square).exp();
    (T::of(2.0) - square) * density
}

/// w·ȧ·φ''.
fn bent<T: Float>(w: &[T], a: &[T], bend: &[T], out: &mut Vec<T>) {
    out.clear();
    out.extend(w.iter().zip(a).zip(bend).map(|((&w, &a), &bend)| w * a * bend));
}
