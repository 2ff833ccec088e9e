//! The rest of a network above a hidden state, as a function of that state, in f64.
//!
//! ρ and nudge ask what the loss does when a state is moved. They use forward passes only, so that a fault in the
//! backward code cannot vouch for itself, and f64, because in f32 the answer drowns in rounding once the state is large.

use nn::{Network, Tape};
use std::sync::Arc;
use tensor::{Float, softmax_cross_entropy};

/// Losses of states that are put in place of a hidden state. Labels are bytes here; what comes from elsewhere may have more
/// classes than a byte can count.
pub trait Downstream<Label = u8> {
    /// Writes the loss of each row of `states`, put in place of h_layer, for the label of that row.
    fn losses(&mut self, layer: usize, states: &[f64], labels: &[Label], losses: &mut [f64]);
}

/// A network's own rest, run a few rows at a time so that they stay in the cache.
///
/// ```
/// use audit::{Downstream, NetworkDownstream};
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
}

/// Rows that pass through at once.
const ROWS: usize = 256;

impl<'a, N: Network<f64>> NetworkDownstream<'a, N> {
    /// The network with these parameters, which f64 holds exactly.
    pub fn new<T: Float>(net: &'a N, params: &[T]) -> Self {
        Self::with(net, params.iter().map(|x| x.to_f64()).collect())
    }

    fn with(net: &'a N, params: Arc<[f64]>) -> Self {
        Self { net, params, tape: net.tape(ROWS), e: vec![0.0; ROWS * net.shape().classes] }
    }

    /// The same, with the same parameters, for another thread.
    pub(crate) fn another(&self) -> Self {
        Self::with(self.net, self.params.clone())
    }
}

impl<N: Network<f64>> Downstream for NetworkDownstream<'_, N> {
    fn losses(&mut self, layer: usize, states: &[f64], labels: &[u8], losses: &mut [f64]) {
        let shape = self.net.shape();
        let parts = states.chunks(ROWS * shape.width).zip(labels.chunks(ROWS)).zip(losses.chunks_mut(ROWS));
        for ((states, labels), losses) in parts {
            self.net.forward_from(&self.params, layer, states, &mut self.tape);
            let e = &mut self.e[..labels.len() * shape.classes];
            softmax_cross_entropy(self.tape.logits(), labels, e, losses);
        }
    }
}
