//! What the passes of a transformer leave behind.

use super::Vit;
use crate::Tape;
use tensor::Float;

/// What one block keeps, token by token.
#[derive(Clone, Debug)]
pub(super) struct BlockTape<T> {
    /// Input of each LayerNorm, normalised, without the LayerNorm's weight and bias.
    pub(super) xhat: [Vec<T>; 2],
    pub(super) rstd: [Vec<T>; 2],
    /// Queries, keys and values of a token beside each other, each head by head.
    pub(super) qkv: Vec<T>,
    /// Attention: sample by sample and head by head, the share of each token (column) in each other (row).
    pub(super) shares: Vec<T>,
    /// Values mixed by those shares, which the projection reads.
    pub(super) mixed: Vec<T>,
    /// Activation of the perceptron, and its slope.
    pub(super) act: Vec<T>,
    pub(super) slope: Vec<T>,
    pub(super) f: Vec<T>,
    /// Leading tokens of each sample that the block's signal reaches: 1, the class token, or all.
    pub(super) reach: Vec<usize>,
    /// Signals at the outputs of the linear layers, as far as they reach; that at fc2 is the block's own.
    pub(super) at_qkv: Vec<T>,
    pub(super) at_proj: Vec<T>,
    pub(super) at_fc1: Vec<T>,
}

/// Activations and signals of a transformer for one chunk of a batch.
#[derive(Clone, Debug)]
pub struct VitTape<T> {
    /// Samples.
    pub(super) rows: usize,
    /// Values of a sample's state.
    pub(super) width: usize,
    pub(super) classes: usize,
    /// The images as patches, each a row.
    pub(super) patches: Vec<T>,
    pub(super) h: Vec<Vec<T>>,
    pub(super) blocks: Vec<BlockTape<T>>,
    /// Of class tokens only.
    pub(super) out_xhat: Vec<T>,
    pub(super) out_rstd: Vec<T>,
    pub(super) logits: Vec<T>,
    pub(super) signals: Vec<Vec<T>>,
    pub(super) error: Vec<T>,
    /// Output of the layer at work, or the signal there.
    pub(super) work: Vec<T>,
    /// Class tokens of all samples, or the signals there.
    pub(super) class_tokens: Vec<T>,
    /// Signal at the scores of one head.
    pub(super) scores: Vec<T>,
}

impl<T: Float> VitTape<T> {
    pub(super) fn new(net: &Vit, rows: usize) -> Self {
        let (spec, tokens) = (&net.spec, net.tokens());
        let (d, mlp, all) = (spec.d, spec.mlp, rows * tokens);
        let zeros = |n: usize| vec![T::ZERO; n];
        let block = |_| BlockTape {
            xhat: [zeros(all * d), zeros(all * d)],
            rstd: [zeros(all), zeros(all)],
            qkv: zeros(all * 3 * d),
            shares: zeros(all * spec.heads * tokens),
            mixed: zeros(all * d),
            act: zeros(all * mlp),
            slope: zeros(all * mlp),
            f: zeros(all * d),
            reach: vec![tokens; rows],
            at_qkv: zeros(all * 3 * d),
            at_proj: zeros(all * d),
            at_fc1: zeros(all * mlp),
        };
        Self {
            rows,
            width: tokens * d,
            classes: spec.classes,
            patches: zeros(rows * spec.channels * spec.height * spec.width),
            h: (0..=spec.blocks).map(|_| zeros(all * d)).collect(),
            blocks: (0..spec.blocks).map(block).collect(),
            out_xhat: zeros(rows * d),
            out_rstd: zeros(rows),
            logits: zeros(rows * spec.classes),
            signals: (0..=spec.blocks).map(|_| zeros(all * d)).collect(),
            error: zeros(rows * spec.classes),
            work: zeros(all * d),
            class_tokens: zeros(rows * d),
            scores: zeros(tokens * tokens),
        }
    }
}

impl<T: Float> Tape<T> for VitTape<T> {
    fn rows(&self) -> usize {
        self.rows
    }
    fn place(&mut self, l: usize, h: &[T]) {
        self.rows = h.len() / self.width;
        self.h[l][..h.len()].copy_from_slice(h);
    }
    fn hidden(&self, l: usize) -> &[T] {
        &self.h[l][..self.rows * self.width]
    }
    fn branch(&self, l: usize) -> &[T] {
        &self.blocks[l].f[..self.rows * self.width]
    }
    fn logits(&self) -> &[T] {
        &self.logits[..self.rows * self.classes]
    }
    fn signal_mut(&mut self, l: usize) -> (&mut [T], &[T]) {
        let n = self.rows * self.width;
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
