//! The forward pass.

use super::spec::Affine;
use super::{Activation, Mlp, MlpTape};
use tensor::{Activated, Biased, Finish, Float, Mat, Panels, Phi, Residual, Right, layer_norm, product};

/// x · weight.
fn linear<T: Float>(x: &[T], params: &[T], places: &Affine, mut finish: impl Finish<T>) {
    let outputs = places.bias.len();
    let inputs = places.weight.len() / outputs;
    let weight = Panels::new(&params[places.weight.clone()], inputs, outputs);
    product(&[Mat::new(x, x.len() / inputs, inputs)], &[Right::Panels(weight)], &mut finish);
}

impl Mlp {
    /// h_0 from the inputs.
    pub(super) fn embed<T: Float>(&self, params: &[T], x: &[T], rows: usize, tape: &mut MlpTape<T>) {
        let out = &mut tape.h[0][..rows * self.spec.d];
        linear(x, params, &self.embed, Biased { bias: &params[self.embed.bias.clone()], out });
    }

    /// The logits from h_from, which the tape holds.
    pub(super) fn rest<T: Float>(&self, params: &[T], from: usize, rows: usize, tape: &mut MlpTape<T>) {
        let n = rows * self.spec.d;
        tape.rows = rows;
        let phi = match self.spec.activation {
            Activation::Gelu => Phi::Gelu,
            Activation::Blend(alpha) => Phi::Blend(T::of(alpha)),
        };
        for (l, (places, kept)) in self.blocks.iter().zip(&mut tape.blocks).enumerate().skip(from) {
            let (before, after) = tape.h.split_at_mut(l + 1);
            let (h, next) = (&before[l][..n], &mut after[0][..n]);
            let u = match &places.ln {
                Some(ln) => {
                    let (xhat, rstd) = (&mut kept.xhat[..n], &mut kept.rstd[..rows]);
                    norm(h, params, ln, xhat, rstd, &mut tape.normed[..n])
                }
                None => h,
            };
            let (act, slope) = (&mut kept.act[..n], &mut kept.slope[..n]);
            let bias = &params[places.w1.bias.clone()];
            linear(u, params, &places.w1, Activated { bias, phi, act, slope });
            let bias = &params[places.w2.bias.clone()];
            let h = self.spec.skip.then_some(h);
            linear(&kept.act[..n], params, &places.w2, Residual { bias, h, f: &mut kept.f[..n], next });
        }
        let top = &tape.h[self.spec.blocks][..n];
        let top = match &self.out_ln {
            Some(ln) => {
                let (xhat, rstd) = (&mut tape.out_xhat[..n], &mut tape.out_rstd[..rows]);
                norm(top, params, ln, xhat, rstd, &mut tape.normed[..n])
            }
            None => top,
        };
        let out = &mut tape.logits[..rows * self.spec.classes];
        linear(top, params, &self.out_head, Biased { bias: &params[self.out_head.bias.clone()], out });
    }
}

/// LayerNorm; hands back its output.
fn norm<'a, T: Float>(
    h: &[T],
    params: &[T],
    places: &Affine,
    xhat: &mut [T],
    rstd: &mut [T],
    out: &'a mut [T],
) -> &'a [T] {
    layer_norm(h, &params[places.weight.clone()], &params[places.bias.clone()], xhat, rstd, out);
    out
}
