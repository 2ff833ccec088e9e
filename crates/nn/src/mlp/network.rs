//! The perceptron's forward pass, signals and gradients.

use super::difference::MlpDifference;
use super::{Activation, Mlp, MlpTape};
use crate::linear::{linear, norm, transposed};
use crate::{Architecture, ForwardDifference, Layout, Network, Pass, Shape, State};
use std::ops::Range;
use tensor::{
    Activated, Biased, Float, GradientSink, Phi, Residual, Sloped, layer_norm_input_grad, matmul, product,
};

impl Architecture for Mlp {
    fn shape(&self) -> Shape {
        let spec = &self.spec;
        Shape { inputs: spec.inputs, width: spec.d, blocks: spec.blocks, classes: spec.classes }
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn state(&self, _l: usize) -> State {
        State::flat(self.spec.d)
    }

    fn skip(&self, _block: usize) -> bool {
        self.spec.skip
    }

    fn parameter_ranges(&self) -> Vec<(Range<usize>, f64)> {
        self.layers().flat_map(|(_, layer)| layer.parameter_ranges()).collect()
    }

    fn forward_difference<'a>(&'a self, params: &'a [f64]) -> Option<Box<dyn ForwardDifference + 'a>> {
        Some(Box::new(MlpDifference::new(self, params)))
    }
}

impl<T: Float> Network<T> for Mlp {
    type Tape = MlpTape<T>;

    fn tape(&self, rows: usize) -> MlpTape<T> {
        MlpTape::new(self, rows)
    }

    fn embed(&self, params: &[T], x: &[T], rows: usize, tape: &mut MlpTape<T>) {
        tape.states.rows = rows;
        let out = &mut tape.states.h[0][..rows * self.spec.d];
        linear(x, params, &self.embed, Biased { bias: &params[self.embed.bias.clone()], out });
    }

    fn block(&self, params: &[T], l: usize, tape: &mut MlpTape<T>) {
        let MlpTape { states, own } = tape;
        let rows = states.rows;
        let n = rows * self.spec.d;
        let phi = match self.spec.activation {
            Activation::Gelu => Phi::Gelu,
            Activation::Blend(alpha) => Phi::Blend(T::of(alpha)),
        };
        let layers = &self.blocks[l];
        let kept = &mut own.blocks[l];
        let (before, after) = states.h.split_at_mut(l + 1);
        let h = &before[l][..n];
        let next = &mut after[0][..n];
        let u = match &layers.ln {
            Some(ln) => {
                norm(h, params, ln, &mut kept.xhat[..n], &mut kept.rstd[..rows], &mut own.normed[..n])
            }
            None => h,
        };
        let act = &mut kept.act[..n];
        let slope = &mut kept.slope[..n];
        let bias = &params[layers.w1.bias.clone()];
        linear(u, params, &layers.w1, Activated { bias, phi, act, slope });
        let bias = &params[layers.w2.bias.clone()];
        let h = self.spec.skip.then_some(h);
        let f = &mut states.f[l][..n];
        linear(&kept.act[..n], params, &layers.w2, Residual { bias, h, f, next });
    }

    fn head(&self, params: &[T], tape: &mut MlpTape<T>) {
        let MlpTape { states, own } = tape;
        let rows = states.rows;
        let n = rows * self.spec.d;
        let top = &states.h[self.spec.blocks][..n];
        let top = match &self.out_ln {
            Some(ln) => {
                norm(top, params, ln, &mut own.out_xhat[..n], &mut own.out_rstd[..rows], &mut own.normed[..n])
            }
            None => top,
        };
        let out = &mut states.logits[..rows * self.spec.classes];
        linear(top, params, &self.out_head, Biased { bias: &params[self.out_head.bias.clone()], out });
    }

    fn head_vjp(&self, params: &[T], tape: &mut MlpTape<T>, below: &mut [T]) {
        let MlpTape { states, own } = tape;
        let rows = states.rows;
        let n = rows * self.spec.d;
        let (signal, weight) = transposed(params, &self.out_head, &states.error[..rows * self.spec.classes]);
        let Some(ln) = &self.out_ln else {
            return matmul(below, T::ONE, signal, weight);
        };
        let normed = &mut own.normed[..n];
        matmul(normed, T::ONE, signal, weight);
        let scale = &params[ln.weight.clone()];
        layer_norm_input_grad(normed, &own.out_xhat[..n], &own.out_rstd[..rows], scale, below);
    }

    fn branch_vjp(&self, params: &[T], block: usize, tape: &mut MlpTape<T>, below: Option<&mut [T]>) {
        let MlpTape { states, own } = tape;
        let rows = states.rows;
        let d = self.spec.d;
        let n = rows * d;
        let layers = &self.blocks[block];
        let kept = &mut own.blocks[block];
        let (signal, weight) = transposed(params, &layers.w2, &states.signals[block + 1][..n]);
        let mut sloped = Sloped { stride: d, slope: &kept.slope[..n], out: &mut kept.inner[..n] };
        product(&[signal], &[weight], &mut sloped);
        let Some(below) = below else { return };
        let (signal, weight) = transposed(params, &layers.w1, &kept.inner[..n]);
        let Some(ln) = &layers.ln else {
            return matmul(below, T::ONE, signal, weight);
        };
        let normed = &mut own.normed[..n];
        matmul(normed, T::ONE, signal, weight);
        let scale = &params[ln.weight.clone()];
        layer_norm_input_grad(normed, &kept.xhat[..n], &kept.rstd[..rows], scale, below);
    }

    fn gradient(
        &self,
        passes: &[Pass<'_, T, MlpTape<T>>],
        scale: T,
        range: Range<usize>,
        mut sink: GradientSink<'_, T>,
    ) {
        for (id, layer) in self.layers() {
            if let Some(part) = layer.within(&range) {
                let sides: Vec<_> = passes.iter().map(|pass| id.sides(&layer, pass)).collect();
                let sink = sink.part(part.start - range.start..part.end - range.start);
                layer.gradient(&sides, scale, part, sink);
            }
        }
    }
}
