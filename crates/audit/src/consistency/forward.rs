//! The forward pass and the vector-Jacobian products of head and block, in plain loops.

use super::arithmetic::Arithmetic;
use super::layers::{Normed, activate, layer_norm, layer_norm_below, linear};
use super::matrix::Matrix;
use super::weights::{Block, Weights};

/// What a block keeps.
#[derive(Debug)]
pub(super) struct Branch {
    ln: Option<Normed>,
    slope: Vec<f64>,
    /// f_l(h_l).
    pub(super) f: Vec<f64>,
}

/// What a forward pass keeps.
#[derive(Debug)]
pub(super) struct ForwardPass {
    /// h_0 … h_L.
    pub(super) hidden: Vec<Vec<f64>>,
    pub(super) branches: Vec<Branch>,
    pub(super) head: HeadPass,
}

/// What the head keeps of the states it read.
#[derive(Debug)]
pub(super) struct HeadPass {
    out: Option<Normed>,
    /// e_T = softmax(z) − onehot(y).
    pub(super) e: Vec<f64>,
}

/// softmax(z) − onehot(y). At the label this is minus the sum of the other shares, since 1 minus a share near 1 would
/// lose its digits.
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

impl HeadPass {
    /// Runs states through the last LayerNorm and the head.
    pub(super) fn of(weights: &Weights, h: &[f64], labels: &[u8], arithmetic: &mut Arithmetic) -> Self {
        let (out, u) = weights.out_ln.as_ref().map(|ln| layer_norm(ln, h, arithmetic)).unzip();
        let z = linear(&weights.head, u.as_deref().unwrap_or(h), arithmetic);
        Self { out, e: error(&z, labels, arithmetic) }
    }

    /// The gradient of each sample's own loss at its state: p_L if that is h_L.
    pub(super) fn slope(&self, weights: &Weights, arithmetic: &mut Arithmetic) -> Vec<f64> {
        let mut s = weights.head.weight.apply_transposed(&self.e);
        arithmetic.store_all(&mut s, 1);
        match (&weights.out_ln, &self.out) {
            (Some(norm), Some(kept)) => layer_norm_below(norm, kept, &s, arithmetic),
            _ => s,
        }
    }
}

impl ForwardPass {
    /// Runs the samples through the network.
    pub(super) fn of(weights: &Weights, x: &[f64], labels: &[u8], arithmetic: &mut Arithmetic) -> Self {
        let mut h = linear(&weights.embed, x, arithmetic);
        let mut hidden = Vec::new();
        let mut branches = Vec::new();
        for block in &weights.blocks {
            let (ln, u) = block.ln.as_ref().map(|ln| layer_norm(ln, &h, arithmetic)).unzip();
            let z = linear(&block.w1, u.as_ref().unwrap_or(&h), arithmetic);
            let (act, slope): (Vec<f64>, Vec<f64>) =
                z.iter().map(|&z| activate(weights.activation, z, arithmetic)).unzip();
            let f = linear(&block.w2, &act, arithmetic);
            let next = |(h, f): (&f64, &f64)| arithmetic.store(if weights.skip { h + f } else { *f }, 1);
            let above = h.iter().zip(&f).map(next).collect();
            hidden.push(std::mem::replace(&mut h, above));
            branches.push(Branch { ln, slope, f });
        }
        let head = HeadPass::of(weights, &h, labels, arithmetic);
        hidden.push(h);
        Self { hidden, branches, head }
    }

    /// The signal at h_l, with these matrices for W1 and W2; `above` is the signal at h_{l+1} and `s` that at f_l(h_l), which
    /// differs under a penalty.
    pub(super) fn down(
        &self,
        weights: &Weights,
        l: usize,
        matrices: [&Matrix; 2],
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
        [w1, w2]: [&Matrix; 2],
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
