//! Gradients of the parameters, one convolution after the other, each with its BatchNorm, and the head.

use super::conv::{Conv, Scratch};
use super::norm::{NormSignal, NormTape};
use super::source::Source;
use super::{Resnet, ResnetTape};
use crate::Pass;
use crate::linear::Layer;
use std::ops::Range;
use tensor::{Float, GradientSink, norm_relu_input_grad};

/// A convolution in the order of memory.
#[derive(Clone, Copy)]
enum Place {
    Stem,
    First(usize),
    Second(usize),
    Short(usize),
}

/// What a pass knows about a convolution.
struct Side<'a, T> {
    input: Source<'a, T>,
    norm: &'a NormTape<T>,
    /// Signal behind the BatchNorm, and what it amounts to.
    s: &'a [T],
    signal: &'a NormSignal<T>,
    rows: usize,
}

impl Resnet {
    fn places(&self) -> impl Iterator<Item = (Place, &Conv)> {
        let blocks = self.blocks.iter().enumerate().flat_map(|(l, block)| {
            let short = block.short.iter().map(move |short| (Place::Short(l), short));
            [(Place::First(l), &block.first), (Place::Second(l), &block.second)].into_iter().chain(short)
        });
        std::iter::once((Place::Stem, &self.stem)).chain(blocks)
    }

    fn head_layer(&self) -> Layer<'_> {
        Layer { norm: None, linear: &self.out_head }
    }

    /// A convolution and its BatchNorm stay whole: their gradients come from the same patches and sums.
    pub(super) fn cut(&self) -> Vec<(Range<usize>, f64)> {
        let work = |conv: &Conv| (conv.weight.len() * conv.window.positions()) as f64;
        let mut stretches: Vec<_> = self.places().map(|(_, conv)| (conv.range(), work(conv))).collect();
        self.head_layer().cut(&mut stretches);
        stretches
    }

    pub(super) fn take_gradient<T: Float>(
        &self,
        passes: &[Pass<'_, T, ResnetTape<T>>],
        scale: T,
        stretch: Range<usize>,
        mut sink: GradientSink<'_, T>,
    ) {
        let mut scratch = Scratch::default();
        let within = |range: Range<usize>| stretch.start <= range.start && range.end <= stretch.end;
        let local = |range: &Range<usize>| range.start - stretch.start..range.end - stretch.start;
        for (place, conv) in self.places().filter(|(_, conv)| within(conv.range())) {
            let stem: Vec<_> = match place {
                Place::Stem => passes.iter().map(|pass| self.at_stem(pass.tape)).collect(),
                _ => Vec::new(),
            };
            let sides: Vec<_> =
                passes.iter().enumerate().map(|(i, pass)| self.side(place, pass, stem.get(i))).collect();
            let sources: Vec<_> = sides
                .iter()
                .map(|&Side { input, norm, s, signal, rows }| {
                    (input, Source::Signal { s, norm, slope: signal.slope(norm) }, rows)
                })
                .collect();
            let mut settle = |range: &Range<usize>, mut gradient: Vec<T>| {
                gradient.iter_mut().for_each(|g| *g *= scale);
                sink.part(local(range)).settle(&gradient);
            };
            settle(&conv.weight, conv.gradient(&sources, &mut scratch));
            let (mut weight, mut bias) = (vec![T::ZERO; conv.outputs()], vec![T::ZERO; conv.outputs()]);
            for side in &sides {
                side.signal.add_gradient(side.norm, side.rows, &mut weight, &mut bias);
            }
            settle(&conv.norm.weight, weight);
            settle(&conv.norm.bias, bias);
        }
        let head = self.head_layer();
        if let Some(part) = head.within(&stretch) {
            let (inputs, outputs) = (self.out_head.inputs(), self.out_head.outputs());
            let sides: Vec<_> = passes
                .iter()
                .map(|Pass { tape, .. }| {
                    (&tape.pooled[..tape.rows * inputs], &tape.error[..tape.rows * outputs])
                })
                .collect();
            head.gradient(&sides, scale, part.clone(), sink.part(local(&part)));
        }
    }

    fn side<'a, T: Float>(
        &self,
        place: Place,
        pass: &Pass<'a, T, ResnetTape<T>>,
        stem: Option<&'a (Vec<T>, NormSignal<T>)>,
    ) -> Side<'a, T> {
        let tape = pass.tape;
        let state = |l: usize| Source::State(&tape.h[l]);
        let (input, norm, s, signal) = match place {
            Place::Stem => {
                let (s, signal) = stem.expect("made for each pass");
                (self.image(pass.x), &tape.stem, &s[..], signal)
            }
            Place::First(l) => {
                let kept = &tape.blocks[l];
                (state(l), &kept.first, &kept.inner[..], &kept.first_signal)
            }
            Place::Second(l) => {
                let kept = &tape.blocks[l];
                (Source::Active(&kept.first), &kept.second, &tape.signals[l + 1][..], &kept.second_signal)
            }
            Place::Short(l) => {
                let kept = &tape.blocks[l];
                let (norm, signal) =
                    kept.short.as_ref().zip(kept.short_signal.as_ref()).expect("a block that changes size");
                (state(l), norm, &tape.signals[l + 1][..], signal)
            }
        };
        Side { input, norm, s, signal, rows: tape.rows }
    }

    /// The signal behind the stem's BatchNorm, from that at h_0. Blocks have theirs from the signal's way down, which ends
    /// above the stem.
    fn at_stem<T: Float>(&self, tape: &ResnetTape<T>) -> (Vec<T>, NormSignal<T>) {
        let (n, norm) = (tape.values(0), &tape.stem);
        let mut s = vec![T::ZERO; n];
        norm_relu_input_grad(&tape.signals[0][..n], &norm.z[..n], &norm.scale, &norm.shift, &mut s);
        let mut signal = NormSignal::new(&self.stem, tape.rows);
        signal.take(norm, 0, &s, &self.stem);
        signal.fix(norm, tape.rows);
        (s, signal)
    }
}
