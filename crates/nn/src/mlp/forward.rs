//! The forward pass.

use super::{Activation, Mlp, MlpTape};
use crate::linear::{linear, norm};
use tensor::{Activated, Biased, Float, Phi, Residual};

impl Mlp {
    /// h_0 from the inputs.
    pub(super) fn read_in<T: Float>(&self, params: &[T], x: &[T], rows: usize, tape: &mut MlpTape<T>) {
        tape.rows = rows;
        let out = &mut tape.h[0][..rows * self.spec.d];
        linear(x, params, &self.embed, Biased { bias: &params[self.embed.bias.clone()], out });
    }

    /// f_l and h_{l+1} from h_l.
    pub(super) fn through_block<T: Float>(&self, params: &[T], l: usize, tape: &mut MlpTape<T>) {
        let (rows, n) = (tape.rows, tape.rows * self.spec.d);
        let phi = match self.spec.activation {
            Activation::Gelu => Phi::Gelu,
            Activation::Blend(alpha) => Phi::Blend(T::of(alpha)),
        };
        let (places, kept) = (&self.blocks[l], &mut tape.blocks[l]);
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

    /// The logits from h_L.
    pub(super) fn read_out<T: Float>(&self, params: &[T], tape: &mut MlpTape<T>) {
        let (rows, n) = (tape.rows, tape.rows * self.spec.d);
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
