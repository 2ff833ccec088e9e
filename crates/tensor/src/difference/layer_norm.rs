//! The difference of a LayerNorm.
//!
//! With x̂ = (h − μ)/σ, σ² including the eps, and c = (δ − mean δ)/σ, the moved row is (x̂ + c)/√(1 + q), q = 2·mean(x̂c) +
//! mean(c²): σ² grows by the factor 1 + q, since the eps is part of it. Hence the difference c·k + x̂·(k − 1) with
//! k = 1/√(1 + q) and k − 1 = −q/(√(1 + q)·(1 + √(1 + q))).

use super::Sides;
use crate::Float;
use crate::simd::{sum, vectorised};

/// k and k − 1, for the growth q.
#[inline(always)]
fn shrinkage<T: Float>(growth: T) -> (T, T) {
    let root = (T::ONE + growth).sqrt();
    (T::ONE / root, T::ZERO - growth / (root * (T::ONE + root)))
}

vectorised! {
    /// Writes the difference of a LayerNorm's output, without a bias, for each row of shifts. `xhat` and `rstd` are those of
    /// the unmoved rows, of which `owners` says which belongs to a shift.
    pub fn layer_norm_shift<T: Float>(
        shifts: &[T],
        owners: &[usize],
        xhat: &[T],
        rstd: &[T],
        weight: &[T],
        sides: Sides,
        out: &mut [T],
    ) {
        let d = weight.len();
        let inverse = T::of(1.0 / d as f64);
        for ((shift, out), &owner) in shifts.chunks_exact(d).zip(out.chunks_exact_mut(d)).zip(owners) {
            let shift = &shift[..d];
            let out = &mut out[..d];
            let xhat = &xhat[owner * d..][..d];
            let mean = sum([shift], |[x]| x) * inverse;
            let r = rstd[owner];
            for i in 0..d {
                out[i] = (shift[i] - mean) * r;
            }
            let along = sum([&*out, xhat], |[c, x]| c * x) * inverse;
            let size = sum([&*out], |[c]| c * c) * inverse;
            let (mut factor, mut less) = shrinkage(size + along + along);
            if sides == Sides::Both {
                // The row (x̂ − c)·k′ − x̂ of the other side is taken away, and the rest halved.
                let (down, down_less) = shrinkage(size - along - along);
                factor = T::of(0.5) * (factor + down);
                less = T::of(0.5) * (less - down_less);
            }
            for i in 0..d {
                out[i] = (out[i] * factor + xhat[i] * less) * weight[i];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer_norm;
    use crate::random::{Purpose, Stream};

    /// Against two whole LayerNorms, in f64 with shifts large enough to be subtracted; then the same rows a hundred million
    /// times as large, where only the difference keeps its digits.
    #[test]
    fn it_is_the_difference_of_two_layer_norms() {
        let d = 40;
        let mut stream = Stream::new(1, Purpose::Teacher);
        let mut draw = |n: usize| (0..n).map(|_| stream.normal()).collect::<Vec<f64>>();
        let [h, shifts, weight] = [draw(2 * d), draw(3 * d), draw(d)];
        let owners = [0, 1, 1];
        let norm = |h: &[f64]| {
            let [mut xhat, mut out] = [vec![0.0; h.len()], vec![0.0; h.len()]];
            let mut rstd = vec![0.0; h.len() / d];
            layer_norm(h, &weight, &vec![0.3; d], &mut xhat, &mut rstd, &mut out);
            (xhat, rstd, out)
        };
        for scale in [1.0, 1e8] {
            let unmoved: Vec<f64> = h.iter().map(|x| scale * x).collect();
            let (xhat, rstd, out) = norm(&unmoved);
            for by in [1.0, 0.1, 1e-3] {
                // A move in proportion to the state has the same effect, but for the eps.
                let moved: Vec<f64> =
                    (0..3 * d).map(|i| unmoved[owners[i / d] * d + i % d] + scale * by * shifts[i]).collect();
                let (_, _, after) = norm(&moved);
                let narrow = |x: &[f64]| x.iter().map(|&x| x as f32).collect::<Vec<f32>>();
                let scaled: Vec<f64> = shifts.iter().map(|x| scale * by * x).collect();
                let mut found = vec![0.0f32; 3 * d];
                let (scaled, xhat, rstd) = (narrow(&scaled), narrow(&xhat), narrow(&rstd));
                layer_norm_shift(&scaled, &owners, &xhat, &rstd, &narrow(&weight), Sides::Up, &mut found);
                for (i, &found) in found.iter().enumerate() {
                    let expected = after[i] - out[owners[i / d] * d + i % d];
                    assert!((f64::from(found) - expected).abs() < 1e-6 * by, "{i}: {found} {expected}");
                }
            }
        }
    }
}
