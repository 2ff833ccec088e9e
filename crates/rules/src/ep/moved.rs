//! A network whose states differ from the forward pass: up through its blocks for the states, down for the signals.

use crate::{BatchView, transport};
use nn::{Network, Tape};
use tensor::{Float, add_scaled};

/// Some samples of a chunk, with their own tape.
pub(super) struct Moved<'a, T: Float, N: Network<T>> {
    batch: &'a BatchView<'a, T, N>,
    labels: Vec<u8>,
    embedded: Vec<T>,
    tape: N::Tape,
}

impl<'a, T: Float, N: Network<T>> Moved<'a, T, N> {
    /// Embeds these samples.
    pub(super) fn new(batch: &'a BatchView<'a, T, N>, samples: &[usize]) -> Self {
        let rows = samples.len();
        let width = batch.net.shape().inputs;
        let x: Vec<T> = samples.iter().flat_map(|i| &batch.x[i * width..][..width]).copied().collect();
        let mut tape = batch.net.tape(rows);
        batch.net.embed(batch.params, &x, rows, &mut tape);
        let embedded = tape.hidden(0).to_vec();
        Self { batch, labels: samples.iter().map(|&i| batch.labels[i]).collect(), embedded, tape }
    }

    fn blocks(&self) -> usize {
        self.batch.net.shape().blocks
    }

    /// The states, given by how much each exceeds the output of its block.
    pub(super) fn up(&mut self, excess: &[Vec<T>]) -> Vec<Vec<T>> {
        let net = self.batch.net;
        let params = self.batch.params;
        let mut states: Vec<Vec<T>> = Vec::with_capacity(excess.len());
        for (l, excess) in excess.iter().enumerate() {
            if l > 0 {
                net.block(params, l - 1, &mut self.tape);
            }
            let mut h = if l > 0 { self.tape.hidden(l).to_vec() } else { self.embedded.clone() };
            add_scaled(&mut h, T::ONE, excess);
            self.tape.place(l, &h);
            states.push(h);
        }
        net.head(params, &mut self.tape);
        net.loss(&mut self.tape, &self.labels, &mut vec![T::ZERO; self.labels.len()]);
        states
    }

    /// −β·p_L at the states of the last upward pass.
    pub(super) fn nudge(&mut self, beta: &[T]) -> Vec<T> {
        let mut nudge = vec![T::ZERO; self.tape.hidden(self.blocks()).len()];
        self.batch.net.head_vjp(self.batch.params, &mut self.tape, &mut nudge);
        let width = nudge.len() / beta.len();
        for (row, &beta) in nudge.chunks_exact_mut(width).zip(beta) {
            row.iter_mut().for_each(|p| *p *= T::ZERO - beta);
        }
        nudge
    }

    /// Carries a signal from the output of block l to its input.
    fn carry(&mut self, l: usize, signal: &[T]) -> Vec<T> {
        let mut below = vec![T::ZERO; self.tape.hidden(l).len()];
        transport::carry(self.batch.net, self.batch.params, l, &mut self.tape, signal, &mut below);
        below
    }

    /// The equilibrium excess if the states did not move any further.
    pub(super) fn down(&mut self, nudge: &[T]) -> Vec<Vec<T>> {
        let mut excess = vec![nudge.to_vec()];
        for l in (0..self.blocks()).rev() {
            let below = self.carry(l, &excess[excess.len() - 1]);
            excess.push(below);
        }
        excess.reverse();
        excess
    }

    /// The gradient of E + β·loss.
    pub(super) fn slope(&mut self, excess: &[Vec<T>], nudge: &[T]) -> Vec<Vec<T>> {
        let mut slope = excess.to_vec();
        add_scaled(&mut slope[self.blocks()], T::of(-1.0), nudge);
        for l in 0..self.blocks() {
            let below = self.carry(l, &excess[l + 1]);
            add_scaled(&mut slope[l], T::of(-1.0), &below);
        }
        slope
    }
}
