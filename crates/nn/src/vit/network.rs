//! The transformer's forward pass, signals and gradients.

use super::difference::VitDifference;
use super::reached::Reached;
use super::{Vit, VitTape};
use crate::linear::{linear, norm, transposed};
use crate::{Architecture, ForwardDifference, Layout, Network, Pass, Shape, State};
use std::ops::Range;
use tensor::{
    Activated, Added, Biased, Float, GradientSink, Phi, Residual, Sloped, add_layer_norm_input_grad,
    add_scaled, col_sums, layer_norm_input_grad, matmul, product,
};

impl Architecture for Vit {
    fn shape(&self) -> Shape {
        let spec = &self.spec;
        let inputs = spec.channels * spec.height * spec.width;
        Shape { inputs, width: spec.d, blocks: spec.blocks, classes: spec.classes }
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn state(&self, _l: usize) -> State {
        State { positions: self.tokens(), features: self.spec.d, reached: 1 }
    }

    /// A layer's work grows with its rows per sample.
    fn parameter_ranges(&self) -> Vec<(Range<usize>, f64)> {
        let tokens = self.cls_token.start..self.pos_embed.end;
        let work = tokens.len() as f64;
        let layers = self.layers().flat_map(|(id, layer)| {
            let rows = self.rows(id) as f64;
            layer.parameter_ranges().into_iter().map(move |(range, work)| (range, work * rows))
        });
        std::iter::once((tokens, work)).chain(layers).collect()
    }

    fn forward_difference<'a>(&'a self, params: &'a [f64]) -> Option<Box<dyn ForwardDifference + 'a>> {
        Some(Box::new(VitDifference::new(self, params)))
    }
}

impl<T: Float> Network<T> for Vit {
    type Tape = VitTape<T>;

    fn tape(&self, rows: usize) -> VitTape<T> {
        VitTape::new(self, rows)
    }

    fn embed(&self, params: &[T], x: &[T], rows: usize, tape: &mut VitTape<T>) {
        let VitTape { states, own } = tape;
        states.rows = rows;
        let d = self.spec.d;
        let patches = self.spec.patches();
        let unfolded = &mut own.patches[..x.len()];
        let work = &mut own.work[..rows * patches * d];
        self.unfold(x, unfolded);
        linear(unfolded, params, &self.embed, Biased { bias: &params[self.embed.bias.clone()], out: work });
        let samples = states.h[0].chunks_exact_mut(self.tokens() * d).zip(work.chunks_exact(patches * d));
        for (h, patches) in samples {
            h[..d].copy_from_slice(&params[self.cls_token.clone()]);
            h[d..].copy_from_slice(patches);
            add_scaled(h, T::ONE, &params[self.pos_embed.clone()]);
        }
    }

    /// A few samples at a time. The first half of the branch writes attn to f and u to h_{l+1}; the second adds to both.
    fn block(&self, params: &[T], l: usize, tape: &mut VitTape<T>) {
        let VitTape { states, own } = tape;
        let d = self.spec.d;
        let mlp = self.spec.mlp;
        let shares = self.spec.heads * self.tokens();
        let layers = &self.blocks[l];
        let kept = &mut own.blocks[l];
        let (before, after) = states.h.split_at_mut(l + 1);
        let [xhat1, xhat2] = &mut kept.xhat;
        let [rstd1, rstd2] = &mut kept.rstd;
        for group in self.groups(states.rows) {
            let at = |cols: usize| group.start * cols..group.end * cols;
            let h = &before[l][at(d)];
            let next = &mut after[0][at(d)];
            let f = &mut states.f[l][at(d)];
            let work = &mut own.work[..h.len()];

            let normed = norm(h, params, &layers.ln1, &mut xhat1[at(d)], &mut rstd1[at(1)], work);
            let qkv = &mut kept.qkv[at(3 * d)];
            let bias = &params[layers.qkv.bias.clone()];
            linear(normed, params, &layers.qkv, Biased { bias, out: qkv });
            let mixed = &mut kept.mixed[at(d)];
            self.attention().mix(qkv, &mut kept.shares[at(shares)], mixed);
            let bias = &params[layers.proj.bias.clone()];
            linear(mixed, params, &layers.proj, Residual { bias, h: Some(h), f, next });

            let normed = norm(next, params, &layers.ln2, &mut xhat2[at(d)], &mut rstd2[at(1)], work);
            let act = &mut kept.act[at(mlp)];
            let slope = &mut kept.slope[at(mlp)];
            let bias = &params[layers.fc1.bias.clone()];
            linear(normed, params, &layers.fc1, Activated { bias, phi: Phi::Gelu, act, slope });
            let bias = &params[layers.fc2.bias.clone()];
            linear(&kept.act[at(mlp)], params, &layers.fc2, Added { bias, f, next });
        }
    }

    /// The logits from the class tokens of h_L.
    fn head(&self, params: &[T], tape: &mut VitTape<T>) {
        let VitTape { states, own } = tape;
        let rows = states.rows;
        let d = self.spec.d;
        let n = rows * d;
        let class_tokens = &mut own.class_tokens[..n];
        let top = states.h[self.spec.blocks].chunks_exact(self.tokens() * d);
        for (token, h) in class_tokens.chunks_exact_mut(d).zip(top) {
            token.copy_from_slice(&h[..d]);
        }
        let xhat = &mut own.out_xhat[..n];
        let normed =
            norm(class_tokens, params, &self.out_ln, xhat, &mut own.out_rstd[..rows], &mut own.work[..n]);
        let out = &mut states.logits[..rows * self.spec.classes];
        linear(normed, params, &self.out_head, Biased { bias: &params[self.out_head.bias.clone()], out });
    }

    /// The head reads class tokens only: the signal at all other tokens of h_L is 0.
    fn head_vjp(&self, params: &[T], tape: &mut VitTape<T>, below: &mut [T]) {
        let VitTape { states, own } = tape;
        let rows = states.rows;
        let d = self.spec.d;
        let n = rows * d;
        let class_tokens = &mut own.class_tokens[..n];
        let (signal, weight) = transposed(params, &self.out_head, &states.error[..rows * self.spec.classes]);
        let normed = &mut own.work[..n];
        matmul(normed, T::ONE, signal, weight);
        let scale = &params[self.out_ln.weight.clone()];
        layer_norm_input_grad(normed, &own.out_xhat[..n], &own.out_rstd[..rows], scale, class_tokens);
        below.fill(T::ZERO);
        for (below, token) in below.chunks_exact_mut(self.tokens() * d).zip(class_tokens.chunks_exact(d)) {
            below[..d].copy_from_slice(token);
        }
    }

    /// With the signal s at f = attn(LN1(h)) + mlp(LN2(u)), u = h + attn(LN1(h)): let m be the signal that reaches u through
    /// the perceptron; then attention gets s + m, and h gets m plus the signal through attention. Tokens without a signal
    /// (most of them if only class tokens have one) are skipped until attention spreads it.
    fn branch_vjp(&self, params: &[T], block: usize, tape: &mut VitTape<T>, mut below: Option<&mut [T]>) {
        let VitTape { states, own } = tape;
        let samples = states.rows;
        let tokens = self.tokens();
        let d = self.spec.d;
        let mlp = self.spec.mlp;
        let shares = self.spec.heads * tokens;
        let layers = &self.blocks[block];
        let kept = &mut own.blocks[block];
        let s = &states.signals[block + 1][..samples * tokens * d];
        let reached = Reached::new(s, tokens, d, &mut kept.reach[..samples]);
        let reach = reached.reach;
        let [scale1, scale2] = [&layers.ln1, &layers.ln2].map(|ln| &params[ln.weight.clone()]);
        for group in self.groups(samples) {
            let at = |cols: usize| group.start * cols..group.end * cols;
            let s = &s[at(d)];
            let at_fc1 = &mut kept.at_fc1[at(mlp)];
            let at_proj = &mut kept.at_proj[at(d)];
            let mut below = below.as_deref_mut().map(|below| &mut below[at(d)]);
            let work = &mut own.work[..s.len()];

            let mut sloped = Sloped { stride: reached.stride(mlp), slope: &kept.slope[at(mlp)], out: at_fc1 };
            product(&[reached.rows(s, d)], &[layers.fc2.transposed(params)], &mut sloped);
            let signal = &mut work[..s.len() / tokens * reach];
            matmul(signal, T::ONE, reached.rows(at_fc1, mlp), layers.fc1.transposed(params));
            let xhat = &kept.xhat[1][at(d)];
            let rstd = &kept.rstd[1][at(1)];
            for (i, signal) in signal.chunks_exact(reach * d).enumerate() {
                let first = i * tokens;
                let here = first * d..(first + reach) * d;
                let at_proj = &mut at_proj[here.clone()];
                let rstd = &rstd[first..first + reach];
                layer_norm_input_grad(signal, &xhat[here.clone()], rstd, scale2, at_proj);
                if let Some(below) = &mut below {
                    below[here.clone()].copy_from_slice(at_proj);
                    below[here.end..(first + tokens) * d].fill(T::ZERO);
                }
                add_scaled(at_proj, T::ONE, &s[here]);
            }

            matmul(signal, T::ONE, reached.rows(at_proj, d), layers.proj.transposed(params));
            let qkv = &kept.qkv[at(3 * d)];
            let at_qkv = &mut kept.at_qkv[at(3 * d)];
            self.attention().mix_vjp(qkv, &kept.shares[at(shares)], signal, reach, &mut own.scores, at_qkv);
            let Some(below) = below else { continue };
            let (signal, weight) = transposed(params, &layers.qkv, at_qkv);
            matmul(work, T::ONE, signal, weight);
            add_layer_norm_input_grad(work, &kept.xhat[0][at(d)], &kept.rstd[0][at(1)], scale1, below);
        }
    }

    fn gradient(
        &self,
        passes: &[Pass<'_, T, VitTape<T>>],
        scale: T,
        range: Range<usize>,
        mut sink: GradientSink<'_, T>,
    ) {
        let local = |part: &Range<usize>| part.start - range.start..part.end - range.start;
        if range.start < self.pos_embed.end {
            let signals: Vec<&[T]> = passes.iter().flat_map(|pass| self.embedded(pass.tape)).collect();
            let mut sums = vec![T::ZERO; self.pos_embed.len()];
            col_sums(&signals, scale, &mut sums);
            sink.part(local(&self.cls_token)).settle(&sums[..self.spec.d]);
            sink.part(local(&self.pos_embed)).settle(&sums);
        }
        for (id, layer) in self.layers() {
            if let Some(part) = layer.within(&range) {
                let sides: Vec<_> = passes.iter().flat_map(|pass| self.sides(id, &layer, pass)).collect();
                layer.gradient(&sides, scale, part.clone(), sink.part(local(&part)));
            }
        }
    }
}
