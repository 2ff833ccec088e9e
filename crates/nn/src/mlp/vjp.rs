//! Vector-Jacobian products of head, block and embedding, written out.
//!
//! With y = x·W + b and the signal s at y: dW = xᵀ·s, db = Σ s, and the signal at x is s·Wᵀ.

use super::spec::Affine;
use super::{Mlp, MlpTape};
use crate::{Gradient, Layout, Network, Shape};
use tensor::{Float, Mat, col_sums, layer_norm_input_grad, layer_norm_param_grad, matmul, multiply};

/// Gradients of a linear layer's weight and bias.
fn linear_grad<T: Float>(
    places: &Affine,
    x: &[T],
    signal: &[T],
    rows: usize,
    gradient: &mut Gradient<'_, T>,
) {
    let outputs = places.bias.len();
    let inputs = places.weight.len() / outputs;
    let weight = &mut gradient.into[places.weight.clone()];
    matmul(weight, gradient.scale, Mat::new(x, rows, inputs).t(), Mat::new(signal, rows, outputs));
    col_sums(signal, gradient.scale, &mut gradient.into[places.bias.clone()]);
}

/// Signal at a linear layer's input.
fn linear_below<T: Float>(params: &[T], places: &Affine, signal: &[T], rows: usize, below: &mut [T]) {
    let outputs = places.bias.len();
    let inputs = places.weight.len() / outputs;
    let weight = Mat::new(&params[places.weight.clone()], inputs, outputs);
    matmul(below, T::ONE, Mat::new(signal, rows, outputs), weight.t());
}

/// Gradients of a LayerNorm's weight and bias.
fn norm_grad<T: Float>(places: &Affine, signal: &[T], xhat: &[T], gradient: &mut Gradient<'_, T>) {
    let (weight, bias) =
        gradient.into[places.weight.start..places.bias.end].split_at_mut(places.weight.len());
    layer_norm_param_grad(signal, xhat, gradient.scale, weight, bias);
}

impl<T: Float> Network<T> for Mlp {
    type Tape = MlpTape<T>;

    fn shape(&self) -> Shape {
        let spec = &self.spec;
        Shape { inputs: spec.inputs, width: spec.d, blocks: spec.blocks, classes: spec.classes }
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn initial(&self, seed: u64) -> Vec<T> {
        self.draw(seed)
    }

    fn tape(&self, rows: usize) -> MlpTape<T> {
        MlpTape::new(self, rows)
    }

    fn skip(&self, _block: usize) -> bool {
        self.spec.skip
    }

    fn forward(&self, params: &[T], x: &[T], rows: usize, tape: &mut MlpTape<T>) {
        self.embed(params, x, rows, tape);
        self.rest(params, 0, rows, tape);
    }

    fn forward_from(&self, params: &[T], l: usize, h: &[T], rows: usize, tape: &mut MlpTape<T>) {
        tape.h[l][..rows * self.spec.d].copy_from_slice(h);
        self.rest(params, l, rows, tape);
    }

    fn head_vjp(
        &self,
        params: &[T],
        tape: &mut MlpTape<T>,
        signal: &[T],
        gradient: Option<Gradient<'_, T>>,
        below: &mut [T],
    ) {
        let (rows, n) = (tape.rows, tape.rows * self.spec.d);
        let top = &tape.h[self.spec.blocks][..n];
        let mut gradient = gradient;
        if let Some(gradient) = &mut gradient {
            let x = if self.out_ln.is_some() { &tape.out[..n] } else { top };
            linear_grad(&self.out_head, x, signal, rows, gradient);
        }
        let Some(ln) = &self.out_ln else {
            return linear_below(params, &self.out_head, signal, rows, below);
        };
        let (xhat, inner) = (&tape.out_xhat[..n], &mut tape.inner[..n]);
        linear_below(params, &self.out_head, signal, rows, inner);
        if let Some(gradient) = &mut gradient {
            norm_grad(ln, inner, xhat, gradient);
        }
        layer_norm_input_grad(inner, xhat, &tape.out_rstd[..rows], &params[ln.weight.clone()], below);
    }

    fn branch_vjp(
        &self,
        params: &[T],
        block: usize,
        tape: &mut MlpTape<T>,
        signal: &[T],
        gradient: Option<Gradient<'_, T>>,
        below: Option<&mut [T]>,
    ) {
        let (rows, n) = (tape.rows, tape.rows * self.spec.d);
        let (places, kept) = (&self.blocks[block], &tape.blocks[block]);
        let mut gradient = gradient;
        let inner = &mut tape.inner[..n];
        linear_below(params, &places.w2, signal, rows, inner);
        multiply(inner, &kept.slope[..n]);
        if let Some(gradient) = &mut gradient {
            linear_grad(&places.w2, &kept.act[..n], signal, rows, gradient);
            let u = if places.ln.is_some() { &kept.u[..n] } else { &tape.h[block][..n] };
            linear_grad(&places.w1, u, inner, rows, gradient);
        }
        let Some(ln) = &places.ln else {
            if let Some(below) = below {
                linear_below(params, &places.w1, inner, rows, below);
            }
            return;
        };
        let (xhat, outer) = (&kept.xhat[..n], &mut tape.outer[..n]);
        linear_below(params, &places.w1, inner, rows, outer);
        if let Some(gradient) = &mut gradient {
            norm_grad(ln, outer, xhat, gradient);
        }
        if let Some(below) = below {
            layer_norm_input_grad(outer, xhat, &kept.rstd[..rows], &params[ln.weight.clone()], below);
        }
    }

    fn embed_vjp(&self, x: &[T], tape: &mut MlpTape<T>, signal: &[T], mut gradient: Gradient<'_, T>) {
        linear_grad(&self.embed, x, signal, tape.rows, &mut gradient);
    }
}
