//! States, noise and target of a pass through the linear-quadratic system.

use super::Lq;
use crate::Tape;
use tensor::Float;

/// What the passes keep.
#[derive(Clone, Debug)]
pub struct LqTape<T> {
    pub(super) rows: usize,
    d: usize,
    outputs: usize,
    pub(super) h: Vec<Vec<T>>,
    pub(super) f: Vec<Vec<T>>,
    /// Noise of each step.
    pub(super) noise: Vec<Vec<T>>,
    /// y.
    pub(super) target: Vec<T>,
    pub(super) logits: Vec<T>,
    pub(super) signals: Vec<Vec<T>>,
    pub(super) error: Vec<T>,
}

impl<T: Float> LqTape<T> {
    pub(super) fn new(system: &Lq, rows: usize) -> Self {
        let (d, outputs, blocks) = (system.spec.d, system.spec.outputs, system.spec.blocks);
        let states = |n: usize| (0..n).map(|_| vec![T::ZERO; rows * d]).collect::<Vec<_>>();
        let outs = || vec![T::ZERO; rows * outputs];
        Self {
            rows,
            d,
            outputs,
            h: states(blocks + 1),
            f: states(blocks),
            noise: states(blocks),
            target: outs(),
            logits: outs(),
            signals: states(blocks + 1),
            error: outs(),
        }
    }
}

impl<T: Float> Tape<T> for LqTape<T> {
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
        &self.f[l][..self.rows * self.d]
    }
    fn logits(&self) -> &[T] {
        &self.logits[..self.rows * self.outputs]
    }
    fn signal_mut(&mut self, l: usize) -> (&mut [T], &[T]) {
        let n = self.rows * self.d;
        let output = if l == 0 { &self.h[0] } else { &self.f[l - 1] };
        (&mut self.signals[l][..n], &output[..n])
    }
    fn error(&self) -> &[T] {
        &self.error[..self.rows * self.outputs]
    }
    fn error_mut(&mut self) -> (&mut [T], &[T]) {
        let n = self.rows * self.outputs;
        (&mut self.error[..n], &self.logits[..n])
    }
}
