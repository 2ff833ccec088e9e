//! Linear layers, alone or after a LayerNorm: forward, signal, gradient.
//!
//! With y = x·W + b and the signal s at y: the signal at x is s·Wᵀ, dW = xᵀ·s, db = Σ s.

use std::ops::Range;
use tensor::{
    Epilogue, Float, GradientSink, Mat, NormedGradient, PANEL, Panels, Right, WeightGradient, col_sums,
    layer_norm, product,
};

/// The parameter ranges of a weight and its bias.
#[derive(Clone, Debug)]
pub(crate) struct Affine {
    pub(crate) weight: Range<usize>,
    pub(crate) bias: Range<usize>,
}

impl Affine {
    pub(crate) fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Inputs of a linear layer.
    pub(crate) fn inputs(&self) -> usize {
        self.weight.len() / self.bias.len()
    }

    fn panels<'a, T>(&self, params: &'a [T]) -> Panels<'a, T> {
        Panels::new(&params[self.weight.clone()], self.inputs(), self.outputs())
    }

    /// The transposed weight of a linear layer.
    pub(crate) fn transposed<'a, T>(&self, params: &'a [T]) -> Right<'a, T> {
        Right::Transposed(self.panels(params))
    }
}

/// x · weight.
pub(crate) fn linear<T: Float>(x: &[T], params: &[T], layer: &Affine, mut epilogue: impl Epilogue<T>) {
    let inputs = layer.inputs();
    let x = Mat::new(x, x.len() / inputs, inputs);
    product(&[x], &[Right::Panels(layer.panels(params))], &mut epilogue);
}

/// The operands of the signal at a linear layer's input: the signal at its output, and the transposed weight.
pub(crate) fn transposed<'a, T>(
    params: &'a [T],
    layer: &Affine,
    signal: &'a [T],
) -> (Mat<'a, T>, Right<'a, T>) {
    let outputs = layer.outputs();
    (Mat::new(signal, signal.len() / outputs, outputs), layer.transposed(params))
}

/// LayerNorm; returns its output.
pub(crate) fn norm<'a, T: Float>(
    h: &[T],
    params: &[T],
    layer: &Affine,
    xhat: &mut [T],
    rstd: &mut [T],
    out: &'a mut [T],
) -> &'a [T] {
    layer_norm(h, &params[layer.weight.clone()], &params[layer.bias.clone()], xhat, rstd, out);
    out
}

/// A linear layer and the LayerNorm that it reads, if any; adjacent in memory.
#[derive(Clone, Copy)]
pub(crate) struct Layer<'a> {
    pub(crate) norm: Option<&'a Affine>,
    pub(crate) linear: &'a Affine,
}

/// A layer's input (that of a LayerNorm is normalised, without its weight and bias), and the signal at its output, with as
/// many rows.
pub(crate) type InputAndSignal<'a, T> = (&'a [T], &'a [T]);

impl Layer<'_> {
    /// LayerNorm, weight and bias.
    pub(crate) fn range(&self) -> Range<usize> {
        self.norm.map_or(self.linear.weight.start, |norm| norm.weight.start)..self.linear.bias.end
    }

    /// Ranges with independent gradients: the whole layer if it reads a LayerNorm, else each panel of the weight.
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

    /// The overlap of the layer with a range of the parameters.
    pub(crate) fn within(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let own = self.range();
        let part = own.start.max(range.start)..own.end.min(range.end);
        (part.start < part.end).then_some(part)
    }

    /// Gradients of a part of the layer: all of it, or panels of the weight, the last of them with the bias.
    pub(crate) fn gradient<T: Float>(
        &self,
        sides: &[InputAndSignal<'_, T>],
        scale: T,
        part: Range<usize>,
        mut sink: GradientSink<'_, T>,
    ) {
        let Affine { weight, bias } = self.linear;
        let inputs = self.linear.inputs();
        let outputs = self.linear.outputs();
        let own = part.start.max(weight.start)..part.end.min(weight.end);
        let cols = (own.start - weight.start) / inputs..(own.end - weight.start) / inputs;
        let local = |range: &Range<usize>| range.start - part.start..range.end - part.start;
        let mut x = Vec::new();
        let mut s = Vec::new();
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
        let norm = self.norm.map(|norm| {
            let [gain, shift] = [&norm.weight, &norm.bias].map(|range| sink.params()[local(range)].to_vec());
            (norm, gain, shift)
        });
        let mut weight =
            WeightGradient { rows: inputs, cols: cols.len(), scale, sink: sink.part(local(&own)) };
        if let Some((norm, gain, shift)) = norm {
            let mut normed = NormedGradient::new(weight, &gain, &shift, &dbias);
            product(&x, &s, &mut normed);
            let (dgain, dshift) = normed.finish();
            sink.part(local(&norm.weight)).settle(&dgain);
            sink.part(local(&norm.bias)).settle(&dshift);
        } else {
            product(&x, &s, &mut weight);
        }
        if with_bias {
            sink.part(local(bias)).settle(&dbias);
        }
    }
}
