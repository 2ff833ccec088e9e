//! Gradients of the parameters, one linear layer after the other, each with the LayerNorm before it.
//!
//! With y = x·W + b and the signal s at y: dW = xᵀ·s, db = Σ s.

use super::spec::Affine;
use super::{Mlp, MlpTape};
use crate::Pass;
use std::ops::Range;
use tensor::{Fate, Float, Mat, NormedGradient, PANEL, Right, WeightGradient, col_sums, product};

/// A linear layer in the order of memory.
#[derive(Clone, Copy)]
enum Place {
    Embed,
    First(usize),
    Second(usize),
    Head,
}

/// The layer's parameters.
struct Layer<'a> {
    place: Place,
    norm: Option<&'a Affine>,
    linear: &'a Affine,
}

impl Layer<'_> {
    fn inputs(&self) -> usize {
        self.linear.weight.len() / self.linear.bias.len()
    }

    /// LayerNorm, weight and bias.
    fn range(&self) -> Range<usize> {
        self.norm.map_or(self.linear.weight.start, |norm| norm.weight.start)..self.linear.bias.end
    }

    /// The layer's input (normalised, where there is a norm) and the signal at its output.
    fn sides<'a, T: Float>(&self, pass: &Pass<'a, T, MlpTape<T>>) -> (&'a [T], &'a [T]) {
        let tape = pass.tape;
        let state = |l: usize, xhat: &'a [T]| if self.norm.is_some() { xhat } else { &tape.h[l][..] };
        match self.place {
            Place::Embed => (pass.x, &tape.signals[0]),
            Place::First(l) => (state(l, &tape.blocks[l].xhat), &tape.blocks[l].inner),
            Place::Second(l) => (&tape.blocks[l].act, &tape.signals[l + 1]),
            Place::Head => (state(tape.h.len() - 1, &tape.out_xhat), &tape.error),
        }
    }
}

impl Mlp {
    fn layers(&self) -> impl Iterator<Item = Layer<'_>> {
        let embed = Layer { place: Place::Embed, norm: None, linear: &self.embed };
        let blocks = self.blocks.iter().enumerate().flat_map(|(l, block)| {
            let first = Layer { place: Place::First(l), norm: block.ln.as_ref(), linear: &block.w1 };
            [first, Layer { place: Place::Second(l), norm: None, linear: &block.w2 }]
        });
        let head = Layer { place: Place::Head, norm: self.out_ln.as_ref(), linear: &self.out_head };
        std::iter::once(embed).chain(blocks).chain([head])
    }

    /// A layer that reads a LayerNorm stays whole; the panels of any other weight can be had apart.
    pub(super) fn cut(&self) -> Vec<(Range<usize>, f64)> {
        let mut stretches = Vec::new();
        for layer in self.layers() {
            let (range, panel) = (layer.range(), PANEL * layer.inputs());
            let mut start = range.start;
            while layer.norm.is_none() && start + panel < layer.linear.weight.end {
                stretches.push((start..start + panel, panel as f64));
                start += panel;
            }
            stretches.push((start..range.end, (range.end - start) as f64));
        }
        stretches
    }

    pub(super) fn take_gradient<T: Float>(
        &self,
        passes: &[Pass<'_, T, MlpTape<T>>],
        scale: T,
        stretch: Range<usize>,
        mut fate: Fate<'_, T>,
    ) {
        for layer in self.layers() {
            let range = layer.range();
            let (start, end) = (range.start.max(stretch.start), range.end.min(stretch.end));
            if start < end {
                let part = start - stretch.start..end - stretch.start;
                of_layer(&layer, passes, scale, start..end, fate.part(part));
            }
        }
    }
}

/// Gradients of a part of a layer: all of it, or panels of the weight, with the bias after the last of them.
fn of_layer<T: Float>(
    layer: &Layer<'_>,
    passes: &[Pass<'_, T, MlpTape<T>>],
    scale: T,
    part: Range<usize>,
    mut fate: Fate<'_, T>,
) {
    let (weight, bias) = (&layer.linear.weight, &layer.linear.bias);
    let (inputs, outputs) = (layer.inputs(), bias.len());
    let own = part.start.max(weight.start)..part.end.min(weight.end);
    let cols = (own.start - weight.start) / inputs..(own.end - weight.start) / inputs;
    let local = |range: &Range<usize>| range.start - part.start..range.end - part.start;
    let (mut x, mut s, mut signals) = (Vec::new(), Vec::new(), Vec::new());
    for pass in passes {
        let (rows, sides) = (pass.tape.rows, layer.sides(pass));
        let signal = &sides.1[..rows * outputs];
        x.push(Mat::new(&sides.0[..rows * inputs], rows, inputs).t());
        s.push(Right::Mat(Mat::new(signal, rows, outputs).cols(cols.clone())));
        signals.push(signal);
    }
    let with_bias = part.end == bias.end;
    let mut dbias = vec![T::ZERO; if with_bias { outputs } else { 0 }];
    if with_bias {
        col_sums(&signals, scale, &mut dbias);
    }
    if let Some(norm) = layer.norm {
        let gain = fate.params()[local(&norm.weight)].to_vec();
        let shift = fate.params()[local(&norm.bias)].to_vec();
        let weight = WeightGradient { rows: inputs, cols: cols.len(), scale, fate: fate.part(local(&own)) };
        let mut finish = NormedGradient::new(weight, &gain, &shift, &dbias);
        product(&x, &s, &mut finish);
        let (dgain, dshift) = finish.finish();
        fate.part(local(&norm.weight)).settle(&dgain);
        fate.part(local(&norm.bias)).settle(&dshift);
    } else {
        let weight = WeightGradient { rows: inputs, cols: cols.len(), scale, fate: fate.part(local(&own)) };
        product(&x, &s, &mut { weight });
    }
    if with_bias {
        fate.part(local(bias)).settle(&dbias);
    }
}
