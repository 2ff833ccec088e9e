//! The forward pass and the vector-Jacobian products of head and block, written for reading.

use super::arithmetic::Arithmetic;
use super::matrix::Matrix;
use super::weights::{Activation, Block, Linear, Norm, Weights};

/// Added to the variance.
const EPS: f64 = 1e-5;
/// Absolute error of the normal law in f32, which comes from a polynomial; in the tails it is as wrong as it is large.
const GELU_ERROR: f64 = 4e-7;

/// What a LayerNorm keeps.
#[derive(Debug)]
pub(super) struct Normed {
    xhat: Vec<f64>,
    rstd: Vec<f64>,
}

/// What a block keeps.
#[derive(Debug)]
pub(super) struct Branch {
    ln: Option<Normed>,
    slope: Vec<f64>,
    /// f_l(h_l).
    pub(super) f: Vec<f64>,
}

/// What a forward pass leaves.
#[derive(Debug)]
pub(super) struct States {
    pub(super) branches: Vec<Branch>,
    out: Option<Normed>,
    /// e_T = softmax(z) − onehot(y).
    pub(super) e: Vec<f64>,
}

fn linear(layer: &Linear, x: &[f64], arithmetic: &mut Arithmetic) -> Vec<f64> {
    let mut y = layer.weight.apply(x);
    for row in y.chunks_exact_mut(layer.bias.len()) {
        row.iter_mut().zip(&layer.bias).for_each(|(y, b)| *y = arithmetic.store(*y + b, 1));
    }
    y
}

fn layer_norm(norm: &Norm, h: &[f64], arithmetic: &mut Arithmetic) -> (Normed, Vec<f64>) {
    let d = norm.weight.len();
    let (mut xhat, mut rstd, mut out) = (Vec::new(), Vec::new(), Vec::new());
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

/// Signal at the input of a LayerNorm. The three terms may cancel, so each is stored by itself.
fn layer_norm_below(norm: &Norm, kept: &Normed, s: &[f64], arithmetic: &mut Arithmetic) -> Vec<f64> {
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
fn activate(activation: Activation, z: f64, arithmetic: &mut Arithmetic) -> (f64, f64) {
    let (value, slope) = match activation {
        Activation::Gelu => {
            let cdf = 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
            let cdf = arithmetic.shift(cdf, cdf.min(1.0 - cdf).min(GELU_ERROR));
            let density = libm::exp(-0.5 * z * z) / (2.0 * std::f64::consts::PI).sqrt();
            // The square loses |z| times as much to rounding once it stands in an exponent.
            (z * cdf, cdf + z * arithmetic.store(density, 1 + (z * z) as usize))
        }
        Activation::Blend(alpha) => {
            let t = arithmetic.store(libm::tanh(z), 1);
            ((1.0 - alpha) * z + alpha * t, (1.0 - alpha) + alpha * (1.0 - t * t))
        }
    };
    (arithmetic.store(value, 1), arithmetic.store(slope, 1))
}

/// softmax(z) − onehot(y). At the label that is minus the shares of the others: a share near 1 has lost the digits of what is
/// missing from it.
fn error(z: &[f64], labels: &[u8], arithmetic: &mut Arithmetic) -> Vec<f64> {
    let classes = z.len() / labels.len();
    let mut e = Vec::with_capacity(z.len());
    for (z, &label) in z.chunks_exact(classes).zip(labels) {
        let top = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let exps: Vec<f64> = z.iter().map(|z| arithmetic.store(libm::exp(z - top), 1)).collect();
        let label = usize::from(label);
        let others: f64 =
            exps.iter().enumerate().filter(|(class, _)| *class != label).map(|(_, exp)| exp).sum();
        let total = exps[label] + others;
        for (class, exp) in exps.iter().enumerate() {
            let share = if class == label { -others } else { *exp };
            e.push(arithmetic.store(share / total, classes));
        }
    }
    e
}

impl States {
    /// Runs the samples through the network.
    pub(super) fn of(weights: &Weights, x: &[f64], labels: &[u8], arithmetic: &mut Arithmetic) -> Self {
        let mut h = linear(&weights.embed, x, arithmetic);
        let mut branches = Vec::new();
        for block in &weights.blocks {
            let normed = block.ln.as_ref().map(|ln| layer_norm(ln, &h, arithmetic));
            let (ln, u) = normed.map_or((None, None), |(kept, out)| (Some(kept), Some(out)));
            let z = linear(&block.w1, u.as_ref().unwrap_or(&h), arithmetic);
            let (act, slope): (Vec<f64>, Vec<f64>) =
                z.iter().map(|&z| activate(weights.activation, z, arithmetic)).unzip();
            let f = linear(&block.w2, &act, arithmetic);
            let next = |(h, f): (&f64, &f64)| arithmetic.store(if weights.skip { h + f } else { *f }, 1);
            h = h.iter().zip(&f).map(next).collect();
            branches.push(Branch { ln, slope, f });
        }
        let normed = weights.out_ln.as_ref().map(|ln| layer_norm(ln, &h, arithmetic));
        let (out, u) = normed.map_or((None, None), |(kept, out)| (Some(kept), Some(out)));
        let z = linear(&weights.head, u.as_ref().unwrap_or(&h), arithmetic);
        Self { branches, out, e: error(&z, labels, arithmetic) }
    }

    /// p_L: the gradient of each sample's own loss at its h_L.
    pub(super) fn p_last(&self, weights: &Weights, arithmetic: &mut Arithmetic) -> Vec<f64> {
        let mut s = weights.head.weight.apply_transposed(&self.e);
        arithmetic.store_all(&mut s, 1);
        match (&weights.out_ln, &self.out) {
            (Some(norm), Some(kept)) => layer_norm_below(norm, kept, &s, arithmetic),
            _ => s,
        }
    }

    /// The signal at h_l, with these matrices for W1 and W2, where `above` is the signal at h_{l+1} and `s` that at f_l(h_l),
    /// which a penalty makes another.
    pub(super) fn down(
        &self,
        weights: &Weights,
        l: usize,
        matrices: (&Matrix, &Matrix),
        s: &[f64],
        above: &[f64],
        arithmetic: &mut Arithmetic,
    ) -> Vec<f64> {
        let mut below = self.through(&weights.blocks[l], l, matrices, s, arithmetic);
        if weights.skip {
            below.iter_mut().zip(above).for_each(|(b, a)| *b = arithmetic.store(*b + a, 1));
        }
        below
    }

    /// J_fᵀ·s of block l, with these matrices for W1 and W2: through the branch alone.
    fn through(
        &self,
        block: &Block,
        l: usize,
        (w1, w2): (&Matrix, &Matrix),
        s: &[f64],
        arithmetic: &mut Arithmetic,
    ) -> Vec<f64> {
        let kept = &self.branches[l];
        let mut s = w2.apply_transposed(s);
        s.iter_mut().zip(&kept.slope).for_each(|(s, slope)| *s = arithmetic.store(*s * slope, 1));
        let mut s = w1.apply_transposed(&s);
        arithmetic.store_all(&mut s, 1);
        match (&block.ln, &kept.ln) {
            (Some(norm), Some(kept)) => layer_norm_below(norm, kept, &s, arithmetic),
            _ => s,
        }
    }
}
