//! What the passes of a perceptron leave behind.

use super::Mlp;
use crate::Tape;
use tensor::Float;

/// What one block keeps.
#[derive(Clone, Debug)]
pub(super) struct BlockTape<T> {
    /// Normalised input, without the LayerNorm's weight and bias; empty where the block has none and W1 reads h itself.
    pub(super) xhat: Vec<T>,
    pub(super) rstd: Vec<T>,
    /// Slope of the activation.
    pub(super) slope: Vec<T>,
    pub(super) act: Vec<T>,
    pub(super) f: Vec<T>,
    /// Signal at W1's output.
    pub(super) inner: Vec<T>,
}

/// Activations and signals of a perceptron for one chunk of a batch.
#[derive(Clone, Debug)]
pub struct MlpTape<T> {
    pub(super) rows: usize,
    pub(super) d: usize,
    pub(super) classes: usize,
    pub(super) h: Vec<Vec<T>>,
    pub(super) blocks: Vec<BlockTape<T>>,
    pub(super) out_xhat: Vec<T>,
    pub(super) out_rstd: Vec<T>,
    pub(super) logits: Vec<T>,
    pub(super) signals: Vec<Vec<T>>,
    pub(super) error: Vec<T>,
    /// Output of the LayerNorm at work, or the signal there.
    pub(super) normed: Vec<T>,
}

impl<T: Float> MlpTape<T> {
    pub(super) fn new(net: &Mlp, rows: usize) -> Self {
        let (d, classes, spec) = (net.spec.d, net.spec.classes, &net.spec);
        let zeros = |n: usize| vec![T::ZERO; n];
        let when = |there: bool, n: usize| zeros(if there { n } else { 0 });
        let block = |_| BlockTape {
            xhat: when(spec.block_ln, rows * d),
            rstd: when(spec.block_ln, rows),
            slope: zeros(rows * d),
            act: zeros(rows * d),
            f: zeros(rows * d),
            inner: zeros(rows * d),
        };
        Self {
            rows,
            d,
            classes,
            h: (0..=spec.blocks).map(|_| zeros(rows * d)).collect(),
            blocks: (0..spec.blocks).map(block).collect(),
            out_xhat: when(spec.out_ln, rows * d),
            out_rstd: when(spec.out_ln, rows),
            logits: zeros(rows * classes),
            signals: (0..=spec.blocks).map(|_| zeros(rows * d)).collect(),
            error: zeros(rows * classes),
            normed: when(spec.block_ln || spec.out_ln, rows * d),
        }
    }
}

impl<T: Float> Tape<T> for MlpTape<T> {
    fn rows(&self) -> usize {
        self.rows
    }
    fn place(&mut self, l: usize, h: &[T]) {
        self.rows = h.len() / self.d;
        self.h[l][..h.len()].copy_from_slice(h);
    }
    fn hidden(&self, l: usize) -> &[T] {
        &self.h[l][..self.rows * self.d]
    }
    fn branch(&self, l: usize) -> &[T] {
        &self.blocks[l].f[..self.rows * self.d]
    }
    fn logits(&self) -> &[T] {
        &self.logits[..self.rows * self.classes]
    }
    fn signal_mut(&mut self, l: usize) -> (&mut [T], &[T]) {
        let n = self.rows * self.d;
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
