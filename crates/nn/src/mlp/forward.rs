//! The forward pass, and the activations it keeps.

use super::{Activation, Mlp};
use crate::Tape;
use tensor::{Float, Mat, add_bias, bias_blend, bias_gelu, bias_residual, layer_norm, matmul};

/// What one block keeps for its vector-Jacobian product.
#[derive(Clone, Debug)]
pub(super) struct BlockTape<T> {
    pub(super) xhat: Vec<T>,
    pub(super) rstd: Vec<T>,
    /// Input of W1: LN(h); empty where the block has no LayerNorm and W1 reads h itself.
    pub(super) u: Vec<T>,
    /// Slope of the activation.
    pub(super) slope: Vec<T>,
    pub(super) act: Vec<T>,
    pub(super) f: Vec<T>,
}

/// Activations of a perceptron for one chunk of a batch.
#[derive(Clone, Debug)]
pub struct MlpTape<T> {
    pub(super) rows: usize,
    pub(super) d: usize,
    pub(super) classes: usize,
    pub(super) h: Vec<Vec<T>>,
    pub(super) blocks: Vec<BlockTape<T>>,
    pub(super) out_xhat: Vec<T>,
    pub(super) out_rstd: Vec<T>,
    pub(super) out: Vec<T>,
    pub(super) logits: Vec<T>,
    /// Signals inside the part being differentiated.
    pub(super) inner: Vec<T>,
    pub(super) outer: Vec<T>,
}

impl<T: Float> MlpTape<T> {
    pub(super) fn new(net: &Mlp, rows: usize) -> Self {
        let (d, classes, spec) = (net.spec.d, net.spec.classes, &net.spec);
        let zeros = |n: usize| vec![T::ZERO; n];
        let when = |there: bool, n: usize| zeros(if there { n } else { 0 });
        let block = |_| BlockTape {
            xhat: when(spec.block_ln, rows * d),
            rstd: when(spec.block_ln, rows),
            u: when(spec.block_ln, rows * d),
            slope: zeros(rows * d),
            act: zeros(rows * d),
            f: zeros(rows * d),
        };
        Self {
            rows,
            d,
            classes,
            h: (0..=spec.blocks).map(|_| zeros(rows * d)).collect(),
            blocks: (0..spec.blocks).map(block).collect(),
            out_xhat: when(spec.out_ln, rows * d),
            out_rstd: when(spec.out_ln, rows),
            out: when(spec.out_ln, rows * d),
            logits: zeros(rows * classes),
            inner: zeros(rows * d),
            outer: zeros(rows * d),
        }
    }
}

impl<T: Float> Tape<T> for MlpTape<T> {
    fn rows(&self) -> usize {
        self.rows
    }
    fn hidden(&self, l: usize) -> &[T] {
        &self.h[l][..self.rows * self.d]
    }
    fn branch(&self, l: usize) -> &[T] {
        &self.blocks[l].f[..self.rows * self.d]
    }
    fn logits(&self) -> &[T] {
        &self.logits[..self.rows * self.classes]
    }
}

/// `out = x · weight`, the weight as (inputs, outputs).
fn linear<T: Float>(out: &mut [T], x: &[T], weight: &[T], rows: usize, outputs: usize) {
    let inputs = weight.len() / outputs;
    matmul(out, T::ONE, Mat::new(x, rows, inputs), Mat::new(weight, inputs, outputs));
}

impl Mlp {
    /// h_0 from the inputs.
    pub(super) fn embed<T: Float>(&self, params: &[T], x: &[T], rows: usize, tape: &mut MlpTape<T>) {
        let (d, n) = (self.spec.d, rows * self.spec.d);
        linear(&mut tape.h[0][..n], x, &params[self.embed.weight.clone()], rows, d);
        add_bias(&mut tape.h[0][..n], &params[self.embed.bias.clone()]);
    }

    /// The logits from h_from, which the tape holds.
    pub(super) fn rest<T: Float>(&self, params: &[T], from: usize, rows: usize, tape: &mut MlpTape<T>) {
        let (d, n) = (self.spec.d, rows * self.spec.d);
        tape.rows = rows;
        for (l, (places, kept)) in self.blocks.iter().zip(&mut tape.blocks).enumerate().skip(from) {
            let (before, after) = tape.h.split_at_mut(l + 1);
            let (h, next) = (&before[l][..n], &mut after[0][..n]);
            let u = match &places.ln {
                Some(ln) => {
                    let (weight, bias) = (&params[ln.weight.clone()], &params[ln.bias.clone()]);
                    layer_norm(
                        h,
                        weight,
                        bias,
                        &mut kept.xhat[..n],
                        &mut kept.rstd[..rows],
                        &mut kept.u[..n],
                    );
                    &kept.u[..n]
                }
                None => h,
            };
            linear(&mut kept.slope[..n], u, &params[places.w1.weight.clone()], rows, d);
            let bias = &params[places.w1.bias.clone()];
            match self.spec.activation {
                Activation::Gelu => bias_gelu(&mut kept.slope[..n], bias, &mut kept.act[..n]),
                Activation::Blend(alpha) => {
                    bias_blend(&mut kept.slope[..n], bias, T::of(alpha), &mut kept.act[..n]);
                }
            }
            linear(&mut kept.f[..n], &kept.act[..n], &params[places.w2.weight.clone()], rows, d);
            let bias = &params[places.w2.bias.clone()];
            bias_residual(&mut kept.f[..n], bias, self.spec.skip.then_some(h), next);
        }
        let top = &tape.h[self.spec.blocks][..n];
        let out = match &self.out_ln {
            Some(ln) => {
                let (weight, bias) = (&params[ln.weight.clone()], &params[ln.bias.clone()]);
                let (xhat, rstd) = (&mut tape.out_xhat[..n], &mut tape.out_rstd[..rows]);
                layer_norm(top, weight, bias, xhat, rstd, &mut tape.out[..n]);
                &tape.out[..n]
            }
            None => top,
        };
        let logits = &mut tape.logits[..rows * self.spec.classes];
        linear(logits, out, &params[self.out_head.weight.clone()], rows, self.spec.classes);
        add_bias(logits, &params[self.out_head.bias.clone()]);
    }
}
