//! The convolutions in the order of memory, and what the gradient of each needs.

use super::conv::Conv;
use super::norm::{NormSignal, NormTape};
use super::source::Source;
use super::{Resnet, ResnetTape};
use crate::Pass;
use tensor::{Float, norm_relu_input_grad};

/// A convolution.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Stem,
    First(usize),
    Second(usize),
    Short(usize),
}

/// What a pass knows about a convolution.
pub(super) struct Side<'a, T> {
    pub(super) input: Source<'a, T>,
    pub(super) norm: &'a NormTape<T>,
    /// Signal behind the BatchNorm, and what it amounts to.
    pub(super) s: &'a [T],
    pub(super) signal: &'a NormSignal<T>,
    pub(super) rows: usize,
}

impl Resnet {
    pub(super) fn places(&self) -> impl Iterator<Item = (Place, &Conv)> {
        let blocks = self.blocks.iter().enumerate().flat_map(|(l, block)| {
            let short = block.short.iter().map(move |short| (Place::Short(l), short));
            [(Place::First(l), &block.first), (Place::Second(l), &block.second)].into_iter().chain(short)
        });
        std::iter::once((Place::Stem, &self.stem)).chain(blocks)
    }

    /// `stem` is the signal behind the stem's BatchNorm ([`Resnet::at_stem`]), for the stem alone.
    pub(super) fn side<'a, T: Float>(
        &self,
        place: Place,
        pass: &Pass<'a, T, ResnetTape<T>>,
        stem: Option<&'a (Vec<T>, NormSignal<T>)>,
    ) -> Side<'a, T> {
        let ResnetTape { states, own } = pass.tape;
        let state = |l: usize| Source::State(&states.h[l]);
        let (input, norm, s, signal) = match place {
            Place::Stem => {
                let (s, signal) = stem.expect("made for each pass");
                (self.image(pass.x), &own.stem, &s[..], signal)
            }
            Place::First(l) => {
                let kept = &own.blocks[l];
                (state(l), &kept.first, &kept.inner[..], &kept.first_signal)
            }
            Place::Second(l) => {
                let kept = &own.blocks[l];
                (Source::Active(&kept.first), &kept.second, &states.signals[l + 1][..], &kept.second_signal)
            }
            Place::Short(l) => {
                let kept = &own.blocks[l];
                let (norm, signal) =
                    kept.short.as_ref().zip(kept.short_signal.as_ref()).expect("a block that changes size");
                (state(l), norm, &states.signals[l + 1][..], signal)
            }
        };
        Side { input, norm, s, signal, rows: states.rows }
    }

    /// The signal behind the stem's BatchNorm, from that at h_0. Blocks have theirs from the signal's way down, which ends
    /// above the stem.
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
