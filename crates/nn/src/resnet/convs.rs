//! The convolutions in memory order, and what the gradient of each needs.

use super::batch_norm::{NormSignal, NormTape};
use super::conv::Conv;
use super::source::Source;
use super::{Resnet, ResnetTape};
use crate::Pass;
use tensor::{Float, norm_relu_input_grad};

/// A convolution.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ConvId {
    Stem,
    First(usize),
    Second(usize),
    Short(usize),
}

/// A convolution in one pass.
pub(super) struct ConvPass<'a, T> {
    pub(super) input: Source<'a, T>,
    pub(super) norm: &'a NormTape<T>,
    /// Signal at the BatchNorm's output, and its sums.
    pub(super) s: &'a [T],
    pub(super) signal: &'a NormSignal<T>,
    pub(super) rows: usize,
}

impl Resnet {
    pub(super) fn convs(&self) -> impl Iterator<Item = (ConvId, &Conv)> {
        let blocks = self.blocks.iter().enumerate().flat_map(|(l, block)| {
            let short = block.short.iter().map(move |short| (ConvId::Short(l), short));
            [(ConvId::First(l), &block.first), (ConvId::Second(l), &block.second)].into_iter().chain(short)
        });
        std::iter::once((ConvId::Stem, &self.stem)).chain(blocks)
    }

    /// `stem` is [`Resnet::at_stem`], which only the stem needs.
    pub(super) fn conv_pass<'a, T: Float>(
        &self,
        id: ConvId,
        pass: &Pass<'a, T, ResnetTape<T>>,
        stem: Option<&'a (Vec<T>, NormSignal<T>)>,
    ) -> ConvPass<'a, T> {
        let ResnetTape { states, own } = pass.tape;
        let state = |l: usize| Source::State(&states.h[l]);
        let (input, norm, s, signal) = match id {
            ConvId::Stem => {
                let (s, signal) = stem.expect("the signal at the stem");
                (self.image(pass.x), &own.stem, &s[..], signal)
            }
            ConvId::First(l) => {
                let kept = &own.blocks[l];
                (state(l), &kept.first, &kept.inner[..], &kept.first_signal)
            }
            ConvId::Second(l) => {
                let kept = &own.blocks[l];
                (Source::Active(&kept.first), &kept.second, &states.signals[l + 1][..], &kept.second_signal)
            }
            ConvId::Short(l) => {
                let kept = &own.blocks[l];
                let (norm, signal) =
                    kept.short.as_ref().zip(kept.short_signal.as_ref()).expect("a block that changes size");
                (state(l), norm, &states.signals[l + 1][..], signal)
            }
        };
        ConvPass { input, norm, s, signal, rows: states.rows }
    }

    /// The signal at the stem's BatchNorm output, from that at h_0. Those of blocks are on the tape already.
    pub(super) fn at_stem<T: Float>(&self, tape: &ResnetTape<T>) -> (Vec<T>, NormSignal<T>) {
        let ResnetTape { states, own } = tape;
        let n = states.values(0);
        let norm = &own.stem;
        let mut s = vec![T::ZERO; n];
        norm_relu_input_grad(&states.signals[0][..n], &norm.z[..n], &norm.scale, &norm.shift, &mut s);
        let mut signal = NormSignal::new(&self.stem, states.rows);
        signal.take(norm, 0, &s, &self.stem);
        signal.fix(norm, states.rows);
        (s, signal)
    }
}
