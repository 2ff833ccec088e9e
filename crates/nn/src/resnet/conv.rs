//! A convolution without bias and the BatchNorm after it: forward, signal, gradient.

use super::batch_norm::NormTape;
use super::patches::ConvWindow;
use super::source::Source;
use crate::linear::Affine;
use std::ops::Range;
use tensor::{Float, Mat, Panels, Right, Summed, in_panels, matmul, product};

/// Positions whose patches are built together, in whole samples and at least one: they fit into the L2 cache.
const TOGETHER: usize = 128;

/// The parameter ranges of weights and statistics.
#[derive(Clone, Debug)]
pub(super) struct Conv {
    pub(super) window: ConvWindow,
    pub(super) weight: Range<usize>,
    /// The BatchNorm's weight and bias.
    pub(super) norm: Affine,
    pub(super) mean: Range<usize>,
    pub(super) variance: Range<usize>,
}

/// Buffers for the patches of a few samples and what is computed with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch<T> {
    bordered: Vec<T>,
    patches: Vec<T>,
    values: Vec<T>,
    rotated: Vec<T>,
}

/// The first `len` values of a buffer that grows when needed.
fn room<T: Float>(buffer: &mut Vec<T>, len: usize) -> &mut [T] {
    if buffer.len() < len {
        buffer.resize(len, T::ZERO);
    }
    &mut buffer[..len]
}

/// A layer's input, the signal at its output, and their number of samples.
pub(super) type InputAndSignal<'a, T> = (Source<'a, T>, Source<'a, T>, usize);

impl Conv {
    pub(super) fn outputs(&self) -> usize {
        self.norm.bias.len()
    }

    /// Values of the output, per sample.
    pub(super) fn out_width(&self) -> usize {
        self.window.positions() * self.outputs()
    }

    /// Weight of the convolution, weight and bias of the BatchNorm.
    pub(super) fn range(&self) -> Range<usize> {
        self.weight.start..self.norm.bias.end
    }

    pub(super) fn panels<'a, T>(&self, params: &'a [T]) -> Panels<'a, T> {
        Panels::new(&params[self.weight.clone()], self.window.inputs(), self.outputs())
    }

    /// Samples whose patches are built together.
    fn together(&self) -> usize {
        (TOGETHER / self.window.positions()).max(1)
    }

    pub(super) fn groups(&self, rows: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let together = self.together();
        (0..rows).step_by(together).map(move |first| first..rows.min(first + together))
    }

    /// The convolution and the statistics of its BatchNorm, whose output is later computed from the tape.
    pub(super) fn forward<T: Float>(
        &self,
        params: &[T],
        source: Source<'_, T>,
        rows: usize,
        training: bool,
        norm: &mut NormTape<T>,
        scratch: &mut Scratch<T>,
    ) {
        let weight = self.panels(params);
        let width = self.out_width();
        let inputs = self.window.inputs();
        norm.training = training;
        norm.moments.clear();
        for samples in self.groups(rows) {
            let count = samples.len() * self.window.positions();
            let patches = room(&mut scratch.patches, count * inputs);
            self.window.gather(&source, samples.clone(), &mut scratch.bordered, patches);
            let z = &mut norm.z[samples.start * width..samples.end * width];
            matmul(z, T::ONE, Mat::new(patches, count, inputs), Right::Panels(weight));
            if training {
                norm.moments.add(z);
            }
        }
        norm.fix(params, self);
    }

    /// The signal at the input from that at the output, passed to `take` group by group with the index of the first sample.
    ///
    /// With stride 1 this is itself a convolution of the signal, with the weight rotated by 180° and inputs and outputs
    /// exchanged. That is a deep product with few columns, whereas the transposed one would be shallow and its patches
    /// would have to be added in memory.
    pub(super) fn down<T: Float>(
        &self,
        params: &[T],
        signal: Source<'_, T>,
        rows: usize,
        scratch: &mut Scratch<T>,
        mut take: impl FnMut(usize, &[T]),
    ) {
        assert_eq!(self.window.stride, 1, "a convolution that keeps the side");
        let back = ConvWindow { channels: self.outputs(), ..self.window };
        let inputs = back.inputs();
        let channels = self.window.channels;
        let rotated = room(&mut scratch.rotated, self.weight.len());
        self.rotate(&params[self.weight.clone()], rotated);
        for samples in self.groups(rows) {
            let count = samples.len() * back.positions();
            let patches = room(&mut scratch.patches, count * inputs);
            back.gather(&signal, samples.clone(), &mut scratch.bordered, patches);
            let below = room(&mut scratch.values, count * channels);
            let weight = Right::Panels(Panels::new(&*rotated, inputs, channels));
            matmul(below, T::ONE, Mat::new(patches, count, inputs), weight);
            take(samples.start, below);
        }
    }

    /// Rotates the weight by 180° and exchanges inputs and outputs.
    fn rotate<T: Float>(&self, weight: &[T], rotated: &mut [T]) {
        let channels = self.window.channels;
        let outputs = self.outputs();
        let pixels = self.window.kernel * self.window.kernel;
        for pixel in 0..pixels {
            for output in 0..outputs {
                for channel in 0..channels {
                    let from = in_panels(pixels * channels, outputs, pixel * channels + channel, output);
                    let row = (pixels - 1 - pixel) * outputs + output;
                    rotated[in_panels(pixels * outputs, channels, row, channel)] = weight[from];
                }
            }
        }
    }

    /// Like [`Conv::down`] with any stride, but added to `below`: the signal at each patch goes back to where it came from.
    pub(super) fn add_down<T: Float>(
        &self,
        params: &[T],
        signal: Source<'_, T>,
        rows: usize,
        scratch: &mut Scratch<T>,
        below: &mut [T],
    ) {
        let outputs = self.outputs();
        let inputs = self.window.inputs();
        let width = self.window.width();
        for samples in self.groups(rows) {
            let count = samples.len() * self.window.positions();
            let values = room(&mut scratch.values, count * outputs);
            signal.write(samples.start * self.out_width(), values);
            let patches = room(&mut scratch.patches, count * inputs);
            matmul(patches, T::ONE, Mat::new(values, count, outputs), Right::Transposed(self.panels(params)));
            self.window.scatter(patches, &mut below[samples.start * width..samples.end * width]);
        }
    }

    /// The weight's gradient, in panels, over all samples; they are taken in groups of fixed size, across passes.
    pub(super) fn gradient<T: Float>(
        &self,
        sides: &[InputAndSignal<'_, T>],
        scratch: &mut Scratch<T>,
    ) -> Vec<T> {
        let positions = self.window.positions();
        let inputs = self.window.inputs();
        let outputs = self.outputs();
        let most = self.together();
        let mut filled = 0;
        let patches = room(&mut scratch.patches, most * positions * inputs);
        let signals = room(&mut scratch.values, most * positions * outputs);
        let mut sum = vec![T::ZERO; self.weight.len()];
        let mut add = |samples: usize, patches: &[T], signals: &[T]| {
            let count = samples * positions;
            let left = Mat::new(&patches[..count * inputs], count, inputs).t();
            let right = Mat::new(&signals[..count * outputs], count, outputs);
            product(&[left], &[right.into()], &mut Summed { rows: inputs, cols: outputs, sum: &mut sum });
        };
        for (input, signal, rows) in sides {
            let mut first = 0;
            while first < *rows {
                let next = (*rows).min(first + most - filled);
                let count = next - first;
                let rows = |width: usize| filled * positions * width..(filled + count) * positions * width;
                self.window.gather(input, first..next, &mut scratch.bordered, &mut patches[rows(inputs)]);
                signal.write(first * self.out_width(), &mut signals[rows(outputs)]);
                first = next;
                filled += count;
                if filled == most {
                    add(filled, patches, signals);
                    filled = 0;
                }
            }
        }
        if filled > 0 {
            add(filled, patches, signals);
        }
        sum
    }
}
