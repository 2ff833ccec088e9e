//! The convolutional network's forward pass, signals and gradients.

use super::batch_norm::move_towards;
use super::conv::{Conv, Scratch};
use super::convs::{ConvId, ConvPass};
use super::difference::ResnetDifference;
use super::source::Source;
use super::{Resnet, ResnetTape};
use crate::linear::{Layer, linear, transposed};
use crate::{Architecture, ForwardDifference, Layout, Network, Pass, Shape, State};
use std::ops::Range;
use tensor::{Biased, Float, GradientSink, col_sums, matmul, norm_relu, norm_relu_input_grad, norm_residual};

impl Architecture for Resnet {
    fn shape(&self) -> Shape {
        let spec = &self.spec;
        let inputs = spec.channels * spec.height * spec.width;
        Shape { inputs, width: spec.d, blocks: spec.blocks, classes: spec.classes }
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn state(&self, l: usize) -> State {
        let stage = self.spec.stage(l);
        let side = (self.spec.height / 2) >> stage;
        State { positions: side * side, features: self.spec.d << stage, reached: side * side }
    }

    fn skip(&self, block: usize) -> bool {
        self.blocks[block].short.is_none()
    }

    fn couples_samples(&self) -> bool {
        true
    }

    /// A convolution and its BatchNorm are one range: their gradients come from the same patches and sums.
    fn parameter_ranges(&self) -> Vec<(Range<usize>, f64)> {
        let work = |conv: &Conv| (conv.weight.len() * conv.window.positions()) as f64;
        let convs = self.convs().map(|(_, conv)| (conv.range(), work(conv)));
        convs.chain(self.head_layer().parameter_ranges()).collect()
    }

    fn forward_difference<'a>(&'a self, params: &'a [f64]) -> Option<Box<dyn ForwardDifference + 'a>> {
        Some(Box::new(ResnetDifference::new(self, params)))
    }
}

impl Resnet {
    /// The images as the stem reads them.
    pub(super) fn image<'a, T>(&self, x: &'a [T]) -> Source<'a, T> {
        Source::Planes { x, channels: self.spec.channels, plane: self.spec.height * self.spec.width }
    }

    fn head_layer(&self) -> Layer<'_> {
        Layer { norm: None, linear: &self.out_head }
    }
}

impl<T: Float> Network<T> for Resnet {
    type Tape = ResnetTape<T>;

    fn tape(&self, rows: usize) -> ResnetTape<T> {
        ResnetTape::new(self, rows)
    }

    fn embed(&self, params: &[T], x: &[T], rows: usize, tape: &mut ResnetTape<T>) {
        let ResnetTape { states, own } = tape;
        states.rows = rows;
        let n = states.values(0);
        let stem = &mut own.stem;
        self.stem.forward(params, self.image(x), rows, states.training, stem, &mut own.scratch);
        norm_relu(&stem.z[..n], &stem.scale, &stem.shift, &mut states.h[0][..n]);
    }

    fn block(&self, params: &[T], l: usize, tape: &mut ResnetTape<T>) {
        let ResnetTape { states, own } = tape;
        let rows = states.rows;
        let training = states.training;
        let before = states.values(l);
        let after = states.values(l + 1);
        let layers = &self.blocks[l];
        let kept = &mut own.blocks[l];
        let scratch = &mut own.scratch;
        let (low, high) = states.h.split_at_mut(l + 1);
        let h = &low[l][..before];
        let next = &mut high[0][..after];
        layers.first.forward(params, Source::State(h), rows, training, &mut kept.first, scratch);
        let act = Source::Active(&kept.first);
        layers.second.forward(params, act, rows, training, &mut kept.second, scratch);
        if let (Some(layers), Some(kept)) = (&layers.short, &mut kept.short) {
            layers.forward(params, Source::State(h), rows, training, kept, scratch);
        }
        let short = kept.short.as_ref().map(|short| short.normed(after));
        let h = short.is_none().then_some(h);
        norm_residual(kept.second.normed(after), short, h, &mut states.f[l][..after], next);
    }

    fn head(&self, params: &[T], tape: &mut ResnetTape<T>) {
        let ResnetTape { states, own } = tape;
        let rows = states.rows;
        let state = self.state(self.spec.blocks);
        let top = &states.h[self.spec.blocks][..rows * state.width()];
        let pooled = &mut own.pooled[..rows * state.features];
        let share = T::of(1.0 / state.positions as f64);
        for (h, mean) in top.chunks_exact(state.width()).zip(pooled.chunks_exact_mut(state.features)) {
            col_sums(&[h], share, mean);
        }
        let out = &mut states.logits[..rows * self.spec.classes];
        linear(pooled, params, &self.out_head, Biased { bias: &params[self.out_head.bias.clone()], out });
    }

    /// Includes blocks that do not learn: their inputs change too.
    fn take_statistics(&self, params: &mut [T], passes: &[Pass<'_, T, ResnetTape<T>>]) {
        for Pass { tape: ResnetTape { own, .. }, .. } in passes {
            move_towards(params, &self.stem, &own.stem);
            for (layers, kept) in self.blocks.iter().zip(&own.blocks) {
                move_towards(params, &layers.first, &kept.first);
                move_towards(params, &layers.second, &kept.second);
                if let (Some(layers), Some(kept)) = (&layers.short, &kept.short) {
                    move_towards(params, layers, kept);
                }
            }
        }
    }

    fn head_vjp(&self, params: &[T], tape: &mut ResnetTape<T>, below: &mut [T]) {
        let ResnetTape { states, own } = tape;
        let rows = states.rows;
        let state = self.state(self.spec.blocks);
        let (signal, weight) = transposed(params, &self.out_head, &states.error[..rows * self.spec.classes]);
        let pooled = &mut own.at_pooled[..rows * state.features];
        // Each position has its share in the mean.
        matmul(pooled, T::of(1.0 / state.positions as f64), signal, weight);
        let samples = below.chunks_exact_mut(state.width()).zip(pooled.chunks_exact(state.features));
        for (below, pooled) in samples {
            below.chunks_exact_mut(state.features).for_each(|position| position.copy_from_slice(pooled));
        }
    }

    fn branch_vjp(&self, params: &[T], block: usize, tape: &mut ResnetTape<T>, below: Option<&mut [T]>) {
        let ResnetTape { states, own } = tape;
        let rows = states.rows;
        let n = states.values(block + 1);
        let layers = &self.blocks[block];
        let kept = &mut own.blocks[block];
        let scratch = &mut own.scratch;
        let s = &states.signals[block + 1][..n];
        if let (Some(layers), Some(norm), Some(sum)) = (&layers.short, &kept.short, &mut kept.short_signal) {
            sum.take(norm, 0, s, layers);
            sum.fix(norm, rows);
        }
        let norm = &kept.second;
        let sum = &mut kept.second_signal;
        sum.take(norm, 0, s, &layers.second);
        sum.fix(norm, rows);
        let signal = Source::Signal { s, norm, slope: sum.slope(norm) };
        let norm = &kept.first;
        let sum = &mut kept.first_signal;
        let width = layers.first.out_width();
        let inner = &mut kept.inner[..n];
        layers.second.down(params, signal, rows, scratch, |first, s| {
            let start = first * width;
            let z = &norm.z[start..][..s.len()];
            let inner = &mut inner[start..start + s.len()];
            norm_relu_input_grad(s, z, &norm.scale, &norm.shift, inner);
            sum.take(norm, first, inner, &layers.first);
        });
        sum.fix(norm, rows);
        let Some(below) = below else { return };
        let signal = Source::Signal { s: inner, norm, slope: sum.slope(norm) };
        let (Some(short), Some(norm), Some(sum)) = (&layers.short, &kept.short, &kept.short_signal) else {
            return layers.first.down(params, signal, rows, scratch, |first, s| {
                below[first * width..][..s.len()].copy_from_slice(s);
            });
        };
        below.fill(T::ZERO);
        layers.first.add_down(params, signal, rows, scratch, below);
        let signal = Source::Signal { s, norm, slope: sum.slope(norm) };
        short.add_down(params, signal, rows, scratch, below);
    }

    fn gradient(
        &self,
        passes: &[Pass<'_, T, ResnetTape<T>>],
        scale: T,
        range: Range<usize>,
        mut sink: GradientSink<'_, T>,
    ) {
        let mut scratch = Scratch::default();
        let within = |own: Range<usize>| range.start <= own.start && own.end <= range.end;
        let local = |part: &Range<usize>| part.start - range.start..part.end - range.start;
        for (id, conv) in self.convs().filter(|(_, conv)| within(conv.range())) {
            let stem: Vec<_> = match id {
                ConvId::Stem => passes.iter().map(|pass| self.at_stem(pass.tape)).collect(),
                _ => Vec::new(),
            };
            let conv_passes: Vec<_> =
                passes.iter().enumerate().map(|(i, pass)| self.conv_pass(id, pass, stem.get(i))).collect();
            let sources: Vec<_> = conv_passes
                .iter()
                .map(|&ConvPass { input, norm, s, signal, rows }| {
                    (input, Source::Signal { s, norm, slope: signal.slope(norm) }, rows)
                })
                .collect();
            let mut settle = |range: &Range<usize>, mut gradient: Vec<T>| {
                gradient.iter_mut().for_each(|g| *g *= scale);
                sink.part(local(range)).settle(&gradient);
            };
            settle(&conv.weight, conv.gradient(&sources, &mut scratch));
            let mut weight = vec![T::ZERO; conv.outputs()];
            let mut bias = vec![T::ZERO; conv.outputs()];
            for pass in &conv_passes {
                pass.signal.add_gradient(pass.norm, pass.rows, &mut weight, &mut bias);
            }
            settle(&conv.norm.weight, weight);
            settle(&conv.norm.bias, bias);
        }
        let head = self.head_layer();
        if let Some(part) = head.within(&range) {
            let inputs = self.out_head.inputs();
            let outputs = self.out_head.outputs();
            let sides = passes.iter().map(|Pass { tape: ResnetTape { states, own }, .. }| {
                (&own.pooled[..states.rows * inputs], &states.error[..states.rows * outputs])
            });
            let sides: Vec<_> = sides.collect();
            head.gradient(&sides, scale, part.clone(), sink.part(local(&part)));
        }
    }
}
