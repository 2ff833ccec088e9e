//! LayerNorm, forward and backward.

use crate::Float;
use crate::simd::{sum, vectorised};

/// Added to the variance, as in PyTorch.
const EPS: f64 = 1e-5;

vectorised! {
    /// Normalises each row of `h` to `xhat` and writes `weight ∘ xhat + bias` to `out` and 1/σ to `rstd`.
    pub fn layer_norm<T: Float>(h: &[T], weight: &[T], bias: &[T], xhat: &mut [T], rstd: &mut [T], out: &mut [T]) {
        let d = weight.len();
        let inverse = T::of(1.0 / d as f64);
        let bias = &bias[..d];
        let rows = h.chunks_exact(d).zip(xhat.chunks_exact_mut(d)).zip(out.chunks_exact_mut(d)).zip(rstd);
        for (((h, xhat), out), rstd) in rows {
            let h = &h[..d];
            let xhat = &mut xhat[..d];
            let out = &mut out[..d];
            let mean = sum([h], |[x]| x) * inverse;
            let variance = sum([h], |[x]| (x - mean) * (x - mean)) * inverse;
            let r = T::ONE / (variance + T::of(EPS)).sqrt();
            *rstd = r;
            for i in 0..d {
                let x = (h[i] - mean) * r;
                xhat[i] = x;
                out[i] = x.mul_add(weight[i], bias[i]);
            }
        }
    }
}

vectorised! {
    /// Gradient at a LayerNorm's input.
    pub fn layer_norm_input_grad<T: Float>(dout: &[T], xhat: &[T], rstd: &[T], weight: &[T], dh: &mut [T]) {
        each_input_grad(dout, xhat, rstd, weight, dh, |dh, value| *dh = value);
    }
}

vectorised! {
    /// Adds the gradient at a LayerNorm's input to `dh`.
    pub fn add_layer_norm_input_grad<T: Float>(dout: &[T], xhat: &[T], rstd: &[T], weight: &[T], dh: &mut [T]) {
        each_input_grad(dout, xhat, rstd, weight, dh, |dh, value| *dh += value);
    }
}

#[inline(always)]
fn each_input_grad<T: Float>(
    dout: &[T],
    xhat: &[T],
    rstd: &[T],
    weight: &[T],
    dh: &mut [T],
    write: impl Fn(&mut T, T),
) {
    let d = weight.len();
    let rows = dout.chunks_exact(d).zip(xhat.chunks_exact(d)).zip(dh.chunks_exact_mut(d)).zip(rstd);
    for (((dout, xhat), dh), &r) in rows {
        let dout = &dout[..d];
        let xhat = &xhat[..d];
        let dh = &mut dh[..d];
        let (mean, slope) = moments(dout, xhat, weight);
        for i in 0..d {
            write(&mut dh[i], r * (dout[i] * weight[i] - mean - xhat[i] * slope));
        }
    }
}

/// The parts of a signal that a LayerNorm removes: its mean, and its component along the normalised row.
#[inline(always)]
fn moments<T: Float>(dout: &[T], xhat: &[T], weight: &[T]) -> (T, T) {
    let inverse = T::of(1.0 / weight.len() as f64);
    let mean = sum([dout, weight], |[s, w]| s * w) * inverse;
    (mean, sum([dout, weight, xhat], |[s, w, x]| s * w * x) * inverse)
}
