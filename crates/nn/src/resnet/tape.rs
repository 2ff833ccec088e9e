//! What the passes of a convolutional network store besides the states.

use super::Resnet;
use super::batch_norm::{NormSignal, NormTape};
use super::conv::{Conv, Scratch};
use crate::{OwnTape, States};
use tensor::Float;

/// Activations and signals of a convolutional network for one chunk of a batch.
pub type ResnetTape<T> = OwnTape<T, ResnetParts<T>>;

/// What one block keeps.
#[derive(Clone, Debug)]
pub(super) struct BlockTape<T> {
    pub(super) first: NormTape<T>,
    pub(super) second: NormTape<T>,
    pub(super) short: Option<NormTape<T>>,
    /// Signal at the first BatchNorm's output.
    pub(super) inner: Vec<T>,
    /// Sums of the signals at each BatchNorm.
    pub(super) first_signal: NormSignal<T>,
    pub(super) second_signal: NormSignal<T>,
    pub(super) short_signal: Option<NormSignal<T>>,
}

/// What a convolutional network keeps besides the states.
#[derive(Clone, Debug)]
pub struct ResnetParts<T> {
    pub(super) stem: NormTape<T>,
    pub(super) blocks: Vec<BlockTape<T>>,
    /// Means over the positions of h_L: the head's input.
    pub(super) pooled: Vec<T>,
    pub(super) at_pooled: Vec<T>,
    pub(super) scratch: Scratch<T>,
}

impl<T: Float> ResnetTape<T> {
    pub(super) fn new(net: &Resnet, rows: usize) -> Self {
        let zeros = |n: usize| vec![T::ZERO; n];
        let norm = |conv: &Conv| NormTape::new(conv, rows);
        let signal = |conv: &Conv| NormSignal::new(conv, rows);
        let blocks = net.blocks.iter().map(|layers| BlockTape {
            first: norm(&layers.first),
            second: norm(&layers.second),
            short: layers.short.as_ref().map(norm),
            inner: zeros(rows * layers.first.out_width()),
            first_signal: signal(&layers.first),
            second_signal: signal(&layers.second),
            short_signal: layers.short.as_ref().map(signal),
        });
        let top = net.out_head.inputs();
        let own = ResnetParts {
            stem: norm(&net.stem),
            blocks: blocks.collect(),
            pooled: zeros(rows * top),
            at_pooled: zeros(rows * top),
            scratch: Scratch::default(),
        };
        Self { states: States::new(net, rows), own }
    }
}
