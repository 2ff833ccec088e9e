//! The layers of networks and bridge nets, forward and backward, in plain loops.

use super::arithmetic::Arithmetic;
use super::weights::{Activation, Linear, Norm};

/// Added to the variance.
const EPS: f64 = 1e-5;
/// Absolute error of training's polynomial for the normal distribution function in f32, up to the value itself in the tails.
const GELU_ERROR: f64 = 4e-7;

/// What a LayerNorm keeps.
#[derive(Debug)]
pub(super) struct Normed {
    xhat: Vec<f64>,
    rstd: Vec<f64>,
}

pub(super) fn linear(layer: &Linear, x: &[f64], arithmetic: &mut Arithmetic) -> Vec<f64> {
    let mut y = layer.weight.apply(x);
    for row in y.chunks_exact_mut(layer.bias.len()) {
        row.iter_mut().zip(&layer.bias).for_each(|(y, b)| *y = arithmetic.store(*y + b, 1));
    }
    y
}

pub(super) fn layer_norm(norm: &Norm, h: &[f64], arithmetic: &mut Arithmetic) -> (Normed, Vec<f64>) {
    let d = norm.weight.len();
    let mut xhat = Vec::new();
    let mut rstd = Vec::new();
    let mut out = Vec::new();
    for h in h.chunks_exact(d) {
        let mean = arithmetic.store(h.iter().sum::<f64>() / d as f64, d);
        let variance = h.iter().map(|h| (h - mean) * (h - mean)).sum::<f64>() / d as f64;
        let variance = arithmetic.store(variance, d);
        let r = arithmetic.store(1.0 / (variance + EPS).sqrt(), 1);
        rstd.push(r);
        for (i, h) in h.iter().enumerate() {
            let x = arithmetic.store((h - mean) * r, 1);
            xhat.push(x);
            out.push(arithmetic.store(x * norm.weight[i] + norm.bias[i], 1));
        }
    }
    (Normed { xhat, rstd }, out)
}

/// Signal at the input of a LayerNorm. The three terms may cancel, so each is stored separately.
pub(super) fn layer_norm_below(
    norm: &Norm,
    kept: &Normed,
    s: &[f64],
    arithmetic: &mut Arithmetic,
) -> Vec<f64> {
    let d = norm.weight.len();
    let mut below = Vec::with_capacity(s.len());
    for ((s, xhat), r) in s.chunks_exact(d).zip(kept.xhat.chunks_exact(d)).zip(&kept.rstd) {
        let g: Vec<f64> = s.iter().zip(&norm.weight).map(|(s, w)| arithmetic.store(s * w, 1)).collect();
        let mean = arithmetic.store(g.iter().sum::<f64>() / d as f64, d);
        let slope = g.iter().zip(xhat).map(|(g, x)| g * x).sum::<f64>() / d as f64;
        let slope = arithmetic.store(slope, d);
        for (g, x) in g.iter().zip(xhat) {
            let along = arithmetic.store(x * slope, 1);
            below.push(arithmetic.store(r * (g - mean - along), 1));
        }
    }
    below
}

/// Value and slope.
pub(super) fn activate(activation: Activation, z: f64, arithmetic: &mut Arithmetic) -> (f64, f64) {
    let (value, slope) = match activation {
        Activation::Gelu => {
            let cdf = 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
            let cdf = arithmetic.shift(cdf, cdf.min(1.0 - cdf).min(GELU_ERROR));
            let density = libm::exp(-0.5 * z * z) / (2.0 * std::f64::consts::PI).sqrt();
            // In an exponent, the square loses |z| times as much to rounding.
            (z * cdf, cdf + z * arithmetic.store(density, (1.0 + z * z) as usize))
        }
        Activation::Blend(alpha) => {
            let t = arithmetic.store(libm::tanh(z), 1);
            ((1.0 - alpha) * z + alpha * t, (1.0 - alpha) + alpha * (1.0 - t * t))
        }
    };
    (arithmetic.store(value, 1), arithmetic.store(slope, 1))
}
