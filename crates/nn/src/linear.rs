//! Linear layers, alone or behind a LayerNorm: forward, signal on its way down, gradient.
//!
//! With y = x·W + b and the signal s at y: the signal at x is s·Wᵀ, dW = xᵀ·s, db = Σ s.

use std::ops::Range;
use tensor::{
    Epilogue, Float, GradientSink, Mat, NormedGradient, PANEL, Panels, Right, WeightGradient, col_sums,
    layer_norm, product,
};

/// Where a weight and its bias lie.
#[derive(Clone, Debug)]
pub(crate) struct Affine {
    pub(crate) weight: Range<usize>,
    pub(crate) bias: Range<usize>,
}

impl Affine {
    pub(crate) fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Of a linear layer.
    pub(crate) fn inputs(&self) -> usize {
        self.weight.len() / self.bias.len()
    }

    fn panels<'a, T>(&self, params: &'a [T]) -> Panels<'a, T> {
        Panels::new(&params[self.weight.clone()], self.inputs(), self.outputs())
    }

    /// The turned weight of a linear layer, for a signal on its way down.
    pub(crate) fn turned<'a, T>(&self, params: &'a [T]) -> Right<'a, T> {
        Right::Turned(self.panels(params))
    }
}

/// x · weight.
pub(crate) fn linear<T: Float>(x: &[T], params: &[T], places: &Affine, mut epilogue: impl Epilogue<T>) {
    let inputs = places.inputs();
    let x = Mat::new(x, x.len() / inputs, inputs);
    product(&[x], &[Right::Panels(places.panels(params))], &mut epilogue);
}

/// Signal and turned weight of a linear layer.
pub(crate) fn turned<'a, T>(params: &'a [T], places: &Affine, signal: &'a [T]) -> (Mat<'a, T>, Right<'a, T>) {
    let outputs = places.outputs();
    (Mat::new(signal, signal.len() / outputs, outputs), places.turned(params))
}

/// LayerNorm; hands back its output.
pub(crate) fn norm<'a, T: Float>(
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

/// A linear layer and the LayerNorm that it reads, if any, one after the other in memory.
#[derive(Clone, Copy)]
pub(crate) struct Layer<'a> {
    pub(crate) norm: Option<&'a Affine>,
    pub(crate) linear: &'a Affine,
}

/// A layer's input (normalised, but without the LayerNorm's weight and bias, where there is one), and the signal at its
/// output, as many rows each.
pub(crate) type Sides<'a, T> = (&'a [T], &'a [T]);

impl Layer<'_> {
    /// LayerNorm, weight and bias.
    pub(crate) fn range(&self) -> Range<usize> {
        self.norm.map_or(self.linear.weight.start, |norm| norm.weight.start)..self.linear.bias.end
    }

    /// Ranges with independent gradients: a layer that reads a LayerNorm is one, the panels of any other weight are one each.
    pub(crate) fn parameter_ranges(&self) -> Vec<(Range<usize>, f64)> {
        let range = self.range();
        let panel = PANEL * self.linear.inputs();
        let mut ranges = Vec::new();
        let mut start = range.start;
        while self.norm.is_none() && start + panel < self.linear.weight.end {
            ranges.push((start..start + panel, panel as f64));
            start += panel;
        }
        ranges.push((start..range.end, (range.end - start) as f64));
        ranges
    }

    /// The part of the layer that lies in a range of the parameters.
    pub(crate) fn within(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let own = self.range();
        let part = own.start.max(range.start)..own.end.min(range.end);
        (part.start < part.end).then_some(part)
    }

    /// Gradients of a part of the layer: all of it, or panels of the weight, with the bias after the last of them.
    pub(crate) fn gradient<T: Float>(
        &self,
        sides: &[Sides<'_, T>],
        scale: T,
        part: Range<usize>,
        mut sink: GradientSink<'_, T>,
    ) {
        let (weight, bias) = (&self.linear.weight, &self.linear.bias);
        let (inputs, outputs) = (self.linear.inputs(), self.linear.outputs());
        let own = part.start.max(weight.start)..part.end.min(weight.end);
        let cols = (own.start - weight.start) / inputs..(own.end - weight.start) / inputs;
        let local = |range: &Range<usize>| range.start - part.start..range.end - part.start;
        let (mut x, mut s) = (Vec::new(), Vec::new());
        for (input, signal) in sides {
            let rows = signal.len() / outputs;
            x.push(Mat::new(input, rows, inputs).t());
            s.push(Right::Mat(Mat::new(signal, rows, outputs).cols(cols.clone())));
        }
        let with_bias = part.end == bias.end;
        let mut dbias = vec![T::ZERO; if with_bias { outputs } else { 0 }];
        if with_bias {
            let signals: Vec<&[T]> = sides.iter().map(|(_, signal)| *signal).collect();
            col_sums(&signals, scale, &mut dbias);
        }
        if let Some(norm) = self.norm {
            let gain = sink.params()[local(&norm.weight)].to_vec();
            let shift = sink.params()[local(&norm.bias)].to_vec();
            let weight =
                WeightGradient { rows: inputs, cols: cols.len(), scale, sink: sink.part(local(&own)) };
            let mut normed = NormedGradient::new(weight, &gain, &shift, &dbias);
            product(&x, &s, &mut normed);
            let (dgain, dshift) = normed.finish();
            sink.part(local(&norm.weight)).settle(&dgain);
            sink.part(local(&norm.bias)).settle(&dshift);
        } else {
            let weight =
                WeightGradient { rows: inputs, cols: cols.len(), scale, sink: sink.part(local(&own)) };
            product(&x, &s, &mut { weight });
        }
        if with_bias {
            sink.part(local(bias)).settle(&dbias);
        }
    }
}
