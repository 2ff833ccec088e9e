//! The rest of a network above a hidden state, as a function of that state, in f64.
//!
//! ρ and nudge ask how the loss changes when a state is moved. They use forward passes only, so that a fault in the backward
//! code cannot confirm itself, and f64, because in f32 rounding hides the answer once the state is large.

use super::moves::{changes_by_passes, steps_by_passes};
use super::{Changes, Moves, Unmoved};
use nn::{Network, Tape};
use std::sync::Arc;
use tensor::{Float, softmax_cross_entropy};

/// Losses of states that replace a hidden state. Labels are bytes by default; a dump may have more classes than a byte can
/// count.
pub trait Downstream<Label: Copy = u8> {
    /// Writes the loss of each row of `states`, which replaces h_layer, for the label of that row.
    fn losses(&mut self, layer: usize, states: &[f64], labels: &[Label], losses: &mut [f64]);

    /// The losses of the states of a chunk as they are.
    fn unmoved(&mut self, layer: usize, h: &[f64], labels: &[Label]) -> Vec<f64> {
        let mut losses = vec![0.0; labels.len()];
        self.losses(layer, h, labels, &mut losses);
        losses
    }

    /// How the loss changes under each of the moves.
    fn changes(&mut self, unmoved: &Unmoved<'_, Label>, moves: &Moves<'_>) -> Changes {
        Changes {
            steps: steps_by_passes(self, unmoved, &moves.steps),
            nudges: changes_by_passes(self, unmoved, &moves.nudges),
        }
    }
}

/// The rest of a network, run a few rows at a time so that they stay in the cache.
///
/// ```
/// use audit::measurements::{Downstream, NetworkDownstream};
/// use nn::Network;
/// let net = nn::MlpSpec::resmlp(3, 8, 2, 4).build()?;
/// let params: Vec<f32> = net.initial(1);
/// let mut rest = NetworkDownstream::new(&net, &params);
/// let mut losses = [0.0];
/// rest.losses(2, &[0.5; 8], &[3], &mut losses);
/// assert!(losses[0] > 0.0);
/// # Ok::<(), nn::Error>(())
/// ```
pub struct NetworkDownstream<'a, N: Network<f64>> {
    net: &'a N,
    params: Arc<[f64]>,
    tape: N::Tape,
    e: Vec<f64>,
    rows: usize,
}

/// Most rows per pass.
const ROWS: usize = 256;
/// Most numbers of their states: a megabyte, which fits into the cache.
const NUMBERS: usize = 1 << 17;

impl<'a, N: Network<f64>> NetworkDownstream<'a, N> {
    /// The network with these parameters, converted to f64 exactly.
    pub fn new<T: Float>(net: &'a N, params: &[T]) -> Self {
        Self::with(net, params.iter().map(|x| x.to_f64()).collect())
    }

    fn with(net: &'a N, params: Arc<[f64]>) -> Self {
        let shape = net.shape();
        let widest = (0..=shape.blocks).map(|l| net.state(l).width()).max().unwrap_or(1);
        let rows = rows(widest);
        let mut tape = net.tape(rows);
        // A loss depends on its sample alone, so nothing is normalised over the rows of a pass.
        tape.set_training(false);
        Self { net, params, tape, e: vec![0.0; rows * shape.classes], rows }
    }

    /// A copy that shares the parameters, for another thread.
    pub(crate) fn another(&self) -> Self {
        Self::with(self.net, self.params.clone())
    }
}

impl<N: Network<f64>> Downstream for NetworkDownstream<'_, N> {
    fn losses(&mut self, layer: usize, states: &[f64], labels: &[u8], losses: &mut [f64]) {
        let rows = self.rows;
        let width = self.net.state(layer).width();
        let classes = self.net.shape().classes;
        let parts = states.chunks(rows * width).zip(labels.chunks(rows)).zip(losses.chunks_mut(rows));
        for ((states, labels), losses) in parts {
            self.net.forward_from(&self.params, layer, states, &mut self.tape);
            let e = &mut self.e[..labels.len() * classes];
            softmax_cross_entropy(self.tape.logits(), labels, e, losses);
        }
    }
}

/// Rows of this width per pass.
fn rows(width: usize) -> usize {
    (NUMBERS / width).clamp(1, ROWS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_states_pass_in_smaller_numbers_and_one_always_does() {
        assert_eq!([1, 256, 512].map(rows), [ROWS; 3]);
        assert_eq!(rows(8320), 15, "a megabyte of states of a transformer");
        assert_eq!(rows(NUMBERS + 1), 1);
    }

    /// The split of rows into passes does not change the losses.
    #[test]
    fn states_that_pass_together_have_the_losses_that_they_have_alone() {
        let net = nn::MlpSpec::resmlp(3, 700, 1, 4).build().expect("valid");
        let params: Vec<f32> = net.initial(1);
        let mut rest = NetworkDownstream::new(&net, &params);
        assert!(rest.rows < ROWS);
        let count = rest.rows + 3;
        let states: Vec<f64> = (0..count * 700).map(|i| (i as f64).sin()).collect();
        let labels: Vec<u8> = (0..count).map(|i| (i % 4) as u8).collect();
        let mut all = vec![0.0; count];
        let mut one = [0.0];
        rest.losses(0, &states, &labels, &mut all);
        for (i, loss) in all.iter().enumerate() {
            rest.losses(0, &states[i * 700..(i + 1) * 700], &labels[i..=i], &mut one);
            assert_eq!(one[0], *loss, "row {i}");
        }
    }
}
