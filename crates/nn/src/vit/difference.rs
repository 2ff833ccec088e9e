//! The transformer's forward difference.
//!
//! Where only the class token shifts, the first block computes queries, keys and values of that token alone; and since the
//! head reads the class token, the last block computes the output of that token alone.

use super::Vit;
use crate::difference::{NormAt, loss_changes, narrow, together};
use crate::linear::linear;
use crate::{Differences, ForwardDifference, UnmovedSamples};
use tensor::{
    Biased, CrossEntropyAt, Phi, PhiAt, PhiShift, Residual, Shifted, Sides, Window, layer_norm_shift,
};

/// A transformer with its parameters.
pub(crate) struct VitDifference<'a> {
    net: &'a Vit,
    exact: &'a [f64],
    params: Vec<f32>,
}

/// A block at the unmoved samples.
struct BlockAt {
    norms: [NormAt; 2],
    qkv: Vec<f32>,
    shares: Vec<f32>,
    phi: PhiAt<f32>,
}

/// The transformer at the unmoved samples.
struct VitAt<'a> {
    of: &'a VitDifference<'a>,
    blocks: Vec<BlockAt>,
    out_norm: NormAt,
    loss: CrossEntropyAt,
}

impl<'a> VitDifference<'a> {
    pub(crate) fn new(net: &'a Vit, params: &'a [f64]) -> Self {
        Self { net, exact: params, params: narrow(params) }
    }

    /// Block l at these states.
    fn block_at(&self, l: usize, h: &[f64]) -> BlockAt {
        let (net, params) = (self.net, self.exact);
        let layers = &net.blocks[l];
        let d = net.spec.d;
        let tokens = h.len() / d;
        let zeros = |cols: usize| vec![0.0; tokens * cols];
        let (first, read) = NormAt::new(h, params, &layers.ln1);
        let mut qkv = zeros(3 * d);
        linear(&read, params, &layers.qkv, Biased { bias: &params[layers.qkv.bias.clone()], out: &mut qkv });
        let mut shares = zeros(net.spec.heads * net.tokens());
        let [mut mixed, mut f, mut u] = [(); 3].map(|()| zeros(d));
        net.attention().mix(&qkv, &mut shares, &mut mixed);
        let bias = &params[layers.proj.bias.clone()];
        linear(&mixed, params, &layers.proj, Residual { bias, h: Some(h), f: &mut f, next: &mut u });
        let (second, read) = NormAt::new(&u, params, &layers.ln2);
        let mut z = zeros(net.spec.mlp);
        linear(&read, params, &layers.fc1, Biased { bias: &params[layers.fc1.bias.clone()], out: &mut z });
        BlockAt {
            norms: [first, second],
            qkv: narrow(&qkv),
            shares: narrow(&shares),
            phi: PhiAt::new(Phi::Gelu, &z),
        }
    }
}

impl ForwardDifference for VitDifference<'_> {
    fn around<'a>(&'a self, samples: UnmovedSamples<'_>) -> Box<dyn Differences + 'a> {
        let UnmovedSamples { h, logits, labels } = samples;
        let blocks = self.net.spec.blocks;
        let top = class_tokens(&h[blocks], self.net.tokens() * self.net.spec.d, self.net.spec.d);
        Box::new(VitAt {
            of: self,
            blocks: (0..blocks).map(|l| self.block_at(l, &h[l])).collect(),
            out_norm: NormAt::new(&top, self.exact, &self.net.out_ln).0,
            loss: CrossEntropyAt::new(logits, labels),
        })
    }
}

/// The first `d` values of each row of `width`.
fn class_tokens<T: Copy>(rows: &[T], width: usize, d: usize) -> Vec<T> {
    rows.chunks_exact(width).flat_map(|row| &row[..d]).copied().collect()
}

impl VitAt<'_> {
    /// The unmoved row of each of the first `reach` tokens of every shifted sample.
    fn owners(&self, owners: &[usize], reach: usize) -> Vec<usize> {
        let tokens = self.of.net.tokens();
        owners.iter().flat_map(|owner| (0..reach).map(move |token| owner * tokens + token)).collect()
    }

    /// The shifts of queries, keys and values of all tokens; if not `spread`, only the class token has any.
    fn qkv(&self, l: usize, x: &[f32], owners: &[usize], sides: Sides, spread: bool) -> Vec<f32> {
        let VitDifference { net, params, .. } = self.of;
        let layers = &net.blocks[l];
        let (tokens, d) = (net.tokens(), net.spec.d);
        let gathered = if spread { Vec::new() } else { class_tokens(x, tokens * d, d) };
        let x = if spread { x } else { &gathered[..] };
        let NormAt { xhat, rstd } = &self.blocks[l].norms[0];
        let rows = self.owners(owners, if spread { tokens } else { 1 });
        let mut normed = vec![0.0; x.len()];
        layer_norm_shift(x, &rows, xhat, rstd, &params[layers.ln1.weight.clone()], sides, &mut normed);
        let mut out = vec![0.0; 3 * x.len()];
        linear(&normed, params, &layers.qkv, Window { out: &mut out, stride: 3 * d, scale: 1.0 });
        if spread {
            return out;
        }
        let mut all = vec![0.0; owners.len() * tokens * 3 * d];
        for (all, class) in all.chunks_exact_mut(tokens * 3 * d).zip(out.chunks_exact(3 * d)) {
            all[..3 * d].copy_from_slice(class);
        }
        all
    }

    /// Carries shifts through block l. If it is the last, only those of the class token are complete.
    fn block(&self, l: usize, x: &mut [f32], owners: &[usize], sides: Sides, spread: bool) {
        let VitDifference { net, params, .. } = self.of;
        let layers = &net.blocks[l];
        let at = &self.blocks[l];
        let (tokens, d, mlp) = (net.tokens(), net.spec.d, net.spec.mlp);
        let qkv = self.qkv(l, x, owners, sides, spread);
        let reach = if l + 1 == net.spec.blocks { 1 } else { tokens };
        let mixed = net.attention().mix_shift(&at.qkv, &at.shares, &qkv, owners, reach, sides);
        let mut part = if reach == 1 { class_tokens(x, tokens * d, d) } else { Vec::new() };
        let y = if reach == 1 { &mut part[..] } else { &mut *x };
        linear(&mixed, params, &layers.proj, Shifted { cols: d, out: y });
        let rows = self.owners(owners, reach);
        let NormAt { xhat, rstd } = &at.norms[1];
        let mut normed = vec![0.0; y.len()];
        layer_norm_shift(y, &rows, xhat, rstd, &params[layers.ln2.weight.clone()], sides, &mut normed);
        let mut act = vec![0.0; rows.len() * mlp];
        linear(
            &normed,
            params,
            &layers.fc1,
            PhiShift { at: &at.phi, owners: &rows, sides, cols: mlp, out: &mut act },
        );
        linear(&act, params, &layers.fc2, Shifted { cols: d, out: y });
        for (x, class) in x.chunks_exact_mut(tokens * d).zip(part.chunks_exact(d)) {
            x[..d].copy_from_slice(class);
        }
    }
}

impl Differences for VitAt<'_> {
    fn losses(&self) -> &[f64] {
        self.loss.losses()
    }

    fn changes(&self, layer: usize, shifts: &[f32], owners: &[usize], sides: Sides, changes: &mut [f64]) {
        let VitDifference { net, params, .. } = self.of;
        let d = net.spec.d;
        let classes = net.spec.classes;
        let width = net.tokens() * d;
        let given = shifts.len() / owners.len().max(1);
        let most = together(width);
        let parts = shifts.chunks(most * given).zip(owners.chunks(most)).zip(changes.chunks_mut(most));
        for ((shifts, owners), changes) in parts {
            let mut x = vec![0.0; owners.len() * width];
            for (x, shift) in x.chunks_exact_mut(width).zip(shifts.chunks_exact(given)) {
                x[..given].copy_from_slice(shift);
            }
            for l in layer..net.spec.blocks {
                self.block(l, &mut x, owners, sides, given > d || l > layer);
            }
            let class = class_tokens(&x, width, d);
            let NormAt { xhat, rstd } = &self.out_norm;
            let mut normed = vec![0.0; class.len()];
            layer_norm_shift(
                &class,
                owners,
                xhat,
                rstd,
                &params[net.out_ln.weight.clone()],
                sides,
                &mut normed,
            );
            let mut logits = vec![0.0; owners.len() * classes];
            let out = &mut logits[..];
            linear(&normed, params, &net.out_head, Window { out, stride: classes, scale: 1.0 });
            loss_changes(&self.loss, &logits, owners, sides, changes);
        }
    }
}
