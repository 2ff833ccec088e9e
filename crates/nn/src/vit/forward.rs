//! The forward pass.

use super::{Vit, VitTape};
use crate::linear::{linear, norm};
use tensor::{Activated, Added, Biased, Float, Phi, Residual, add_scaled};

impl Vit {
    /// h_0 from the images.
    pub(super) fn read_in<T: Float>(&self, params: &[T], x: &[T], rows: usize, tape: &mut VitTape<T>) {
        tape.rows = rows;
        let (d, patches) = (self.spec.d, self.patches());
        let (unfolded, work) = (&mut tape.patches[..x.len()], &mut tape.work[..rows * patches * d]);
        self.unfold(x, unfolded);
        linear(unfolded, params, &self.embed, Biased { bias: &params[self.embed.bias.clone()], out: work });
        let (first, positions) = (&params[self.cls_token.clone()], &params[self.pos_embed.clone()]);
        for (h, patches) in tape.h[0].chunks_exact_mut(tape.width).zip(work.chunks_exact(patches * d)) {
            h[..d].copy_from_slice(first);
            h[d..].copy_from_slice(patches);
            add_scaled(h, T::ONE, positions);
        }
    }

    /// Cuts images into patches, from left to right and from top to bottom; a patch lies channel by channel and row by row,
    /// in the order of a convolution's weight.
    fn unfold<T: Float>(&self, x: &[T], unfolded: &mut [T]) {
        let spec = &self.spec;
        let (side, across) = (spec.patch, spec.width / spec.patch);
        let (area, size) = (side * side, spec.channels * side * side);
        let inputs = spec.channels * spec.height * spec.width;
        for (image, patches) in x.chunks_exact(inputs).zip(unfolded.chunks_exact_mut(inputs)) {
            for (i, row) in image.chunks_exact(spec.width).enumerate() {
                let (channel, y) = (i / spec.height, i % spec.height);
                for (column, pixels) in row.chunks_exact(side).enumerate() {
                    let patch = y / side * across + column;
                    let at = patch * size + channel * area + y % side * side;
                    patches[at..at + side].copy_from_slice(pixels);
                }
            }
        }
    }

    /// f_l and h_{l+1} from h_l, some samples after the other. The first half of the branch leaves attn in f's place and u in
    /// that of h_{l+1}; the second adds to both.
    pub(super) fn through_block<T: Float>(&self, params: &[T], l: usize, tape: &mut VitTape<T>) {
        let (d, mlp, shares) = (self.spec.d, self.spec.mlp, self.spec.heads * self.tokens());
        let (places, kept) = (&self.blocks[l], &mut tape.blocks[l]);
        let (before, after) = tape.h.split_at_mut(l + 1);
        let ([xhat1, xhat2], [rstd1, rstd2]) = (&mut kept.xhat, &mut kept.rstd);
        for group in self.groups(tape.rows) {
            let at = |cols: usize| group.start * cols..group.end * cols;
            let (h, next, f) = (&before[l][at(d)], &mut after[0][at(d)], &mut kept.f[at(d)]);
            let work = &mut tape.work[..h.len()];

            let normed = norm(h, params, &places.ln1, &mut xhat1[at(d)], &mut rstd1[at(1)], work);
            let (qkv, bias) = (&mut kept.qkv[at(3 * d)], &params[places.qkv.bias.clone()]);
            linear(normed, params, &places.qkv, Biased { bias, out: qkv });
            let mixed = &mut kept.mixed[at(d)];
            self.attention().mix(qkv, &mut kept.shares[at(shares)], mixed);
            let bias = &params[places.proj.bias.clone()];
            linear(mixed, params, &places.proj, Residual { bias, h: Some(h), f, next });

            let normed = norm(next, params, &places.ln2, &mut xhat2[at(d)], &mut rstd2[at(1)], work);
            let (act, slope) = (&mut kept.act[at(mlp)], &mut kept.slope[at(mlp)]);
            let bias = &params[places.fc1.bias.clone()];
            linear(normed, params, &places.fc1, Activated { bias, phi: Phi::Gelu, act, slope });
            let bias = &params[places.fc2.bias.clone()];
            linear(&kept.act[at(mlp)], params, &places.fc2, Added { bias, f, next });
        }
    }

    /// The logits from the class tokens of h_L.
    pub(super) fn read_out<T: Float>(&self, params: &[T], tape: &mut VitTape<T>) {
        let (rows, d) = (tape.rows, self.spec.d);
        let (n, class_tokens) = (rows * d, &mut tape.class_tokens[..rows * d]);
        for (token, h) in
            class_tokens.chunks_exact_mut(d).zip(tape.h[self.spec.blocks].chunks_exact(tape.width))
        {
            token.copy_from_slice(&h[..d]);
        }
        let (xhat, rstd) = (&mut tape.out_xhat[..n], &mut tape.out_rstd[..rows]);
        let normed = norm(class_tokens, params, &self.out_ln, xhat, rstd, &mut tape.work[..n]);
        let out = &mut tape.logits[..rows * self.spec.classes];
        linear(normed, params, &self.out_head, Biased { bias: &params[self.out_head.bias.clone()], out });
    }
}
