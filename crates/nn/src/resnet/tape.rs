//! What the passes of a convolutional network leave behind.

use super::Resnet;
use super::conv::{Conv, Scratch};
use super::norm::{NormSignal, NormTape};
use crate::Tape;
use tensor::Float;

/// What one block keeps.
#[derive(Clone, Debug)]
pub(super) struct BlockTape<T> {
    pub(super) first: NormTape<T>,
    pub(super) second: NormTape<T>,
    pub(super) short: Option<NormTape<T>>,
    pub(super) f: Vec<T>,
    /// Signal behind the first BatchNorm.
    pub(super) inner: Vec<T>,
    /// What the signals amount to at each BatchNorm.
    pub(super) first_signal: NormSignal<T>,
    pub(super) second_signal: NormSignal<T>,
    pub(super) short_signal: Option<NormSignal<T>>,
}

/// Activations and signals of a convolutional network for one chunk of a batch.
#[derive(Clone, Debug)]
pub struct ResnetTape<T> {
    pub(super) rows: usize,
    /// What the passes to come are for; those behind are remembered at each BatchNorm.
    pub(super) training: bool,
    /// Values of each h_l of a sample.
    widths: Vec<usize>,
    classes: usize,
    pub(super) h: Vec<Vec<T>>,
    pub(super) stem: NormTape<T>,
    pub(super) blocks: Vec<BlockTape<T>>,
    /// Means over the positions of h_L, which the head reads, or the signal there.
    pub(super) pooled: Vec<T>,
    pub(super) at_pooled: Vec<T>,
    pub(super) logits: Vec<T>,
    pub(super) signals: Vec<Vec<T>>,
    pub(super) error: Vec<T>,
    pub(super) scratch: Scratch<T>,
}

impl<T: Float> ResnetTape<T> {
    pub(super) fn new(net: &Resnet, rows: usize) -> Self {
        let zeros = |n: usize| vec![T::ZERO; n];
        let widths: Vec<usize> = (0..=net.spec.blocks).map(|l| net.state_at(l).width()).collect();
        let (norm, signal) =
            (|conv: &Conv| NormTape::new(conv, rows), |conv: &Conv| NormSignal::new(conv, rows));
        let blocks = net.blocks.iter().zip(&widths[1..]).map(|(places, width)| BlockTape {
            first: norm(&places.first),
            second: norm(&places.second),
            short: places.short.as_ref().map(norm),
            f: zeros(rows * width),
            inner: zeros(rows * width),
            first_signal: signal(&places.first),
            second_signal: signal(&places.second),
            short_signal: places.short.as_ref().map(signal),
        });
        let top = net.out_head.inputs();
        Self {
            rows,
            training: false,
            classes: net.spec.classes,
            h: widths.iter().map(|width| zeros(rows * width)).collect(),
            stem: norm(&net.stem),
            blocks: blocks.collect(),
            pooled: zeros(rows * top),
            at_pooled: zeros(rows * top),
            logits: zeros(rows * net.spec.classes),
            signals: widths.iter().map(|width| zeros(rows * width)).collect(),
            error: zeros(rows * net.spec.classes),
            scratch: Scratch::default(),
            widths,
        }
    }

    /// Values of h_l of all samples.
    pub(super) fn values(&self, l: usize) -> usize {
        self.rows * self.widths[l]
    }
}

impl<T: Float> Tape<T> for ResnetTape<T> {
    fn rows(&self) -> usize {
        self.rows
    }
    fn place(&mut self, l: usize, h: &[T]) {
        self.rows = h.len() / self.widths[l];
        self.h[l][..h.len()].copy_from_slice(h);
    }
    fn set_training(&mut self, training: bool) {
        self.training = training;
    }
    fn hidden(&self, l: usize) -> &[T] {
        &self.h[l][..self.values(l)]
    }
    fn branch(&self, l: usize) -> &[T] {
        &self.blocks[l].f[..self.values(l + 1)]
    }
    fn logits(&self) -> &[T] {
        &self.logits[..self.rows * self.classes]
    }
    fn signal_mut(&mut self, l: usize) -> (&mut [T], &[T]) {
        let n = self.values(l);
        let output = if l == 0 { &self.h[0] } else { &self.blocks[l - 1].f };
        (&mut self.signals[l][..n], &output[..n])
    }
    fn error(&self) -> &[T] {
        &self.error[..self.rows * self.classes]
    }
    fn error_mut(&mut self) -> (&mut [T], &[T]) {
        let n = self.rows * self.classes;
        (&mut self.error[..n], &self.logits[..n])
    }
}
