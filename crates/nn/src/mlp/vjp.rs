//! Signals on their way down through head and blocks.

use super::{Mlp, MlpTape};
use crate::linear::turned;
use tensor::{Float, Sloped, layer_norm_input_grad, matmul, product};

impl Mlp {
    pub(super) fn through_head<T: Float>(&self, params: &[T], tape: &mut MlpTape<T>, below: &mut [T]) {
        let (rows, n) = (tape.rows, tape.rows * self.spec.d);
        let (signal, weight) = turned(params, &self.out_head, &tape.error[..rows * self.spec.classes]);
        let Some(ln) = &self.out_ln else {
            return matmul(below, T::ONE, signal, weight);
        };
        let normed = &mut tape.normed[..n];
        matmul(normed, T::ONE, signal, weight);
        let (xhat, rstd) = (&tape.out_xhat[..n], &tape.out_rstd[..rows]);
        layer_norm_input_grad(normed, xhat, rstd, &params[ln.weight.clone()], below);
    }

    pub(super) fn through_branch<T: Float>(
        &self,
        params: &[T],
        block: usize,
        tape: &mut MlpTape<T>,
        below: Option<&mut [T]>,
    ) {
        let (rows, d, n) = (tape.rows, self.spec.d, tape.rows * self.spec.d);
        let (places, kept) = (&self.blocks[block], &mut tape.blocks[block]);
        let (signal, weight) = turned(params, &places.w2, &tape.signals[block + 1][..n]);
        let (slope, out) = (&kept.slope[..n], &mut kept.inner[..n]);
        product(&[signal], &[weight], &mut Sloped { stride: d, slope, out });
        let Some(below) = below else { return };
        let (signal, weight) = turned(params, &places.w1, &kept.inner[..n]);
        let Some(ln) = &places.ln else {
            return matmul(below, T::ONE, signal, weight);
        };
        let normed = &mut tape.normed[..n];
        matmul(normed, T::ONE, signal, weight);
        let (xhat, rstd) = (&kept.xhat[..n], &kept.rstd[..rows]);
        layer_norm_input_grad(normed, xhat, rstd, &params[ln.weight.clone()], below);
    }
}
