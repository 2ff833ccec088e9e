//! A convolution without bias and the BatchNorm behind it: forward, signal on its way down, gradient.

use super::norm::NormTape;
use super::patches::Window;
use super::source::Source;
use crate::linear::Affine;
use std::ops::Range;
use tensor::{Float, Mat, Panels, Right, Summed, in_panels, matmul, product};

/// Positions whose patches are made together, in whole samples, of which there is one at least: they stay in the second
/// cache.
const TOGETHER: usize = 128;

/// Where weights and statistics lie.
#[derive(Clone, Debug)]
pub(super) struct Conv {
    pub(super) window: Window,
    pub(super) weight: Range<usize>,
    /// The BatchNorm's weight and bias.
    pub(super) norm: Affine,
    pub(super) mean: Range<usize>,
    pub(super) variance: Range<usize>,
}

/// Room for the patches of a few samples, and for what is made beside them.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch<T> {
    bordered: Vec<T>,
    patches: Vec<T>,
    values: Vec<T>,
    turned: Vec<T>,
}

/// So many values of a buffer that grows when needed.
fn room<T: Float>(buffer: &mut Vec<T>, len: usize) -> &mut [T] {
    if buffer.len() < len {
        buffer.resize(len, T::ZERO);
    }
    &mut buffer[..len]
}

/// A layer's input and the signal at its output, of so many samples.
pub(super) type Sides<'a, T> = (Source<'a, T>, Source<'a, T>, usize);

impl Conv {
    pub(super) fn outputs(&self) -> usize {
        self.norm.bias.len()
    }

    /// Values of a sample's output.
    pub(super) fn out_width(&self) -> usize {
        self.window.positions() * self.outputs()
    }

    /// Weight of the convolution, weight and bias of the BatchNorm.
    pub(super) fn range(&self) -> Range<usize> {
        self.weight.start..self.norm.bias.end
    }

    fn panels<'a, T>(&self, params: &'a [T]) -> Panels<'a, T> {
        Panels::new(&params[self.weight.clone()], self.window.inputs(), self.outputs())
    }

    /// Samples whose patches are made together.
    fn together(&self) -> usize {
        (TOGETHER / self.window.positions()).max(1)
    }

    fn groups(&self, rows: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let together = self.together();
        (0..rows).step_by(together).map(move |first| first..rows.min(first + together))
    }

    /// Convolution and BatchNorm, whose output is left to be made from the tape.
    pub(super) fn forward<T: Float>(
        &self,
        params: &[T],
        source: Source<'_, T>,
        rows: usize,
        training: bool,
        norm: &mut NormTape<T>,
        scratch: &mut Scratch<T>,
    ) {
        let (weight, width, inputs) = (self.panels(params), self.out_width(), self.window.inputs());
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

    /// From the signal at the output to the signal at the input, group by group, handed over with the first sample's number.
    ///
    /// With stride 1 it is a convolution itself: of the signal, with the weight turned by half a circle and inputs and
    /// outputs exchanged. That is a deep product with few columns, whereas the transposed one would be shallow and its
    /// patches would have to be added up in memory.
    pub(super) fn down<T: Float>(
        &self,
        params: &[T],
        signal: Source<'_, T>,
        rows: usize,
        scratch: &mut Scratch<T>,
        mut take: impl FnMut(usize, &[T]),
    ) {
        let back = Window {
            channels: self.outputs(),
            side: self.window.side,
            kernel: self.window.kernel,
            stride: 1,
        };
        assert_eq!(self.window.stride, 1, "a convolution that keeps the side");
        let (inputs, channels) = (back.inputs(), self.window.channels);
        let turned = room(&mut scratch.turned, self.weight.len());
        self.turn(&params[self.weight.clone()], turned);
        for samples in self.groups(rows) {
            let count = samples.len() * back.positions();
            let patches = room(&mut scratch.patches, count * inputs);
            back.gather(&signal, samples.clone(), &mut scratch.bordered, patches);
            let below = room(&mut scratch.values, count * channels);
            let weight = Right::Panels(Panels::new(&*turned, inputs, channels));
            matmul(below, T::ONE, Mat::new(patches, count, inputs), weight);
            take(samples.start, below);
        }
    }

    /// The weight turned by half a circle, its inputs for outputs.
    fn turn<T: Float>(&self, weight: &[T], turned: &mut [T]) {
        let (channels, outputs) = (self.window.channels, self.outputs());
        let pixels = self.window.kernel * self.window.kernel;
        for pixel in 0..pixels {
            for output in 0..outputs {
                for channel in 0..channels {
                    let from = in_panels(pixels * channels, outputs, pixel * channels + channel, output);
                    let row = (pixels - 1 - pixel) * outputs + output;
                    turned[in_panels(pixels * outputs, channels, row, channel)] = weight[from];
                }
            }
        }
    }

    /// The same with any stride, added to what is below: the signal at the patches, each added where it was taken from.
    pub(super) fn add_down<T: Float>(
        &self,
        params: &[T],
        signal: Source<'_, T>,
        rows: usize,
        scratch: &mut Scratch<T>,
        below: &mut [T],
    ) {
        let (outputs, inputs, width) = (self.outputs(), self.window.inputs(), self.window.width());
        for samples in self.groups(rows) {
            let count = samples.len() * self.window.positions();
            let values = room(&mut scratch.values, count * outputs);
            signal.write(samples.start * self.out_width(), values);
            let patches = room(&mut scratch.patches, count * inputs);
            matmul(patches, T::ONE, Mat::new(values, count, outputs), Right::Turned(self.panels(params)));
            self.window.scatter(patches, &mut below[samples.start * width..samples.end * width]);
        }
    }

    /// The weight's gradient, in panels, over all samples; they are taken a fixed number at a time, wherever a pass ends.
    pub(super) fn gradient<T: Float>(&self, sides: &[Sides<'_, T>], scratch: &mut Scratch<T>) -> Vec<T> {
        let (positions, inputs, outputs) = (self.window.positions(), self.window.inputs(), self.outputs());
        let (most, mut filled) = (self.together(), 0);
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
                let of = |per: usize| filled * positions * per..(filled + count) * positions * per;
                self.window.gather(input, first..next, &mut scratch.bordered, &mut patches[of(inputs)]);
                signal.write(first * self.out_width(), &mut signals[of(outputs)]);
                (first, filled) = (next, filled + count);
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
