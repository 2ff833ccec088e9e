//! Signals on their way down through head and blocks.

use super::{Vit, VitTape};
use crate::linear::turned;
use tensor::{
    Float, Mat, Sloped, add_layer_norm_input_grad, add_scaled, layer_norm_input_grad, matmul, product,
};

impl Vit {
    /// The head reads class tokens only: the signal at all other tokens of h_L is 0.
    pub(super) fn through_head<T: Float>(&self, params: &[T], tape: &mut VitTape<T>, below: &mut [T]) {
        let (rows, d) = (tape.rows, self.spec.d);
        let (n, class_tokens) = (rows * d, &mut tape.class_tokens[..rows * d]);
        let (signal, weight) = turned(params, &self.out_head, &tape.error[..rows * self.spec.classes]);
        let normed = &mut tape.work[..n];
        matmul(normed, T::ONE, signal, weight);
        let (xhat, rstd) = (&tape.out_xhat[..n], &tape.out_rstd[..rows]);
        layer_norm_input_grad(normed, xhat, rstd, &params[self.out_ln.weight.clone()], class_tokens);
        below.fill(T::ZERO);
        for (below, token) in below.chunks_exact_mut(tape.width).zip(class_tokens.chunks_exact(d)) {
            below[..d].copy_from_slice(token);
        }
    }

    /// The signal s at f = attn(LN1(h)) + mlp(LN2(u)), u = h + attn(LN1(h)): what comes through the perceptron reaches u as
    /// m, attention gets s + m, and h gets m and what comes through attention. Tokens without a signal, which are most of
    /// them where only class tokens have one, are left out until attention spreads it.
    pub(super) fn through_branch<T: Float>(
        &self,
        params: &[T],
        block: usize,
        tape: &mut VitTape<T>,
        mut below: Option<&mut [T]>,
    ) {
        let (samples, tokens, d, mlp) = (tape.rows, self.tokens(), self.spec.d, self.spec.mlp);
        let shares = self.spec.heads * tokens;
        let (places, kept) = (&self.blocks[block], &mut tape.blocks[block]);
        let s = &tape.signals[block + 1][..samples * tokens * d];
        for (reach, s) in kept.reach.iter_mut().zip(s.chunks_exact(tokens * d)) {
            *reach = if s[d..].iter().all(|&s| s == T::ZERO) { 1 } else { tokens };
        }
        let reach = kept.reach[..samples].iter().copied().max().unwrap_or(1);
        let reached = Reached { tokens, reach };
        let [gain1, gain2] = [&places.ln1, &places.ln2].map(|ln| &params[ln.weight.clone()]);
        for group in self.groups(samples) {
            let at = |cols: usize| group.start * cols..group.end * cols;
            let (s, at_fc1, at_proj) = (&s[at(d)], &mut kept.at_fc1[at(mlp)], &mut kept.at_proj[at(d)]);
            let mut below = below.as_deref_mut().map(|below| &mut below[at(d)]);
            let work = &mut tape.work[..s.len()];

            let finish =
                &mut Sloped { stride: reached.stride(mlp), slope: &kept.slope[at(mlp)], out: at_fc1 };
            product(&[reached.rows(s, d)], &[places.fc2.turned(params)], finish);
            let signal = &mut work[..s.len() / tokens * reach];
            matmul(signal, T::ONE, reached.rows(at_fc1, mlp), places.fc1.turned(params));
            let (xhat, rstd) = (&kept.xhat[1][at(d)], &kept.rstd[1][at(1)]);
            for (i, signal) in signal.chunks_exact(reach * d).enumerate() {
                let (first, here) = (i * tokens, i * tokens * d..(i * tokens + reach) * d);
                let at_proj = &mut at_proj[here.clone()];
                layer_norm_input_grad(
                    signal,
                    &xhat[here.clone()],
                    &rstd[first..first + reach],
                    gain2,
                    at_proj,
                );
                if let Some(below) = &mut below {
                    below[here.clone()].copy_from_slice(at_proj);
                    below[here.end..(first + tokens) * d].fill(T::ZERO);
                }
                add_scaled(at_proj, T::ONE, &s[here]);
            }

            matmul(signal, T::ONE, reached.rows(at_proj, d), places.proj.turned(params));
            let (qkv, shares, at_qkv) =
                (&kept.qkv[at(3 * d)], &kept.shares[at(shares)], &mut kept.at_qkv[at(3 * d)]);
            self.attention().mix_vjp(qkv, shares, signal, reach, &mut tape.scores, at_qkv);
            let Some(below) = below else { continue };
            let (signal, weight) = turned(params, &places.qkv, at_qkv);
            matmul(work, T::ONE, signal, weight);
            let (xhat, rstd) = (&kept.xhat[0][at(d)], &kept.rstd[0][at(1)]);
            add_layer_norm_input_grad(work, xhat, rstd, gain1, below);
        }
    }
}

/// The leading tokens of each sample that a signal reaches: the class token, or all.
struct Reached {
    tokens: usize,
    reach: usize,
}

impl Reached {
    /// How far their rows of `cols` values are apart: those of a class token are a whole sample apart.
    fn stride(&self, cols: usize) -> usize {
        if self.reach == 1 { self.tokens * cols } else { cols }
    }

    /// Their rows.
    fn rows<'a, T>(&self, values: &'a [T], cols: usize) -> Mat<'a, T> {
        let stride = self.stride(cols);
        Mat::new(values, values.len() / stride, stride).cols(0..cols)
    }
}
