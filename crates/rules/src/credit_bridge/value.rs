//! a_l = ∇V(h_l, t, s) at h_l, t = l/L, and a_embed = a_0. V = net([LN(h), time, s]) is a scalar with two hidden GELU layers:
//! GELU is smooth and curved at 0, and the gradient has to represent products of state and condition. V is the sum of two
//! outputs: one shared by all times, and one per time, 0 at the start. What is learned at one time then helps the others from
//! the start, and the L + 1 functions still separate faster than through the time features alone.
//!
//! During the first part of the schedule, DFA gives the credit while V learns.

use super::matching::Slopes;
use super::spec::ValueSpec;
use crate::bridge::{BridgeSpec, Inputs, Kept, Own, Perceptron, Rows, give, reached};
use crate::{AfterStep, BatchView, Credit, Given, Gives, Rule, Saved, direct};
use nn::{Network, Tape};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tensor::random::{Purpose, Stream};
use tensor::{AdamW, Float, Phi};

/// Indices of saved tensors; parameters and moments come first.
pub(super) const SLOW: usize = 3;
const WARM: usize = 4;
const FEEDBACK: usize = 5;

/// The rule with its net.
#[derive(Debug)]
pub(super) struct CreditBridge<T> {
    pub(super) spec: ValueSpec,
    pub(super) seed: u64,
    pub(super) inputs: Inputs,
    pub(super) net: Perceptron<T>,
    pub(super) own: Own<T>,
    /// Buffers reused at every step: allocating new memory costs more than the arithmetic on it.
    work: Mutex<Work<T>>,
}

#[derive(Debug, Default)]
pub(super) struct Work<T> {
    /// Rows of all states, or of one noisy copy.
    pub(super) rows: Rows<T>,
    pub(super) kept: Kept<T>,
    /// Rows of h_L.
    pub(super) last: Rows<T>,
    pub(super) kept_last: Kept<T>,
    pub(super) moved: Vec<T>,
    pub(super) at_out: Vec<T>,
    pub(super) signals: [Vec<T>; 2],
    pub(super) at_rows: Vec<T>,
    pub(super) at_h: Vec<T>,
    pub(super) u: Vec<T>,
    pub(super) slopes: Slopes<T>,
}

impl<T: Float> CreditBridge<T> {
    /// Draws the net, and the feedback matrices for the warm-up.
    pub(super) fn new<N: Network<T>>(net: &N, spec: ValueSpec, seed: u64) -> Self {
        let inputs = Inputs::new(net, spec.bridge.condition);
        let perceptron = perceptron(net, &inputs, spec.bridge.width);
        let mut params = perceptron.draw(&mut Stream::at(seed, Purpose::Feedback, 1, 0));
        perceptron.silence(&mut params, 1..perceptron.outputs());
        let mut own = Own::new(params.clone());
        own.saved.push(Saved::learned("rule.slow", &[params.len()], params));
        let warm = if spec.warm_up > 0.0 { T::ONE } else { T::ZERO };
        own.saved.push(Saved::learned("rule.warm", &[1], vec![warm]));
        own.saved.extend(direct::draw(net, seed));
        Self { spec, seed, inputs, net: perceptron, own, work: Mutex::default() }
    }

    /// Number of values in its saved tensors.
    pub(super) fn values<N: Network<T>>(net: &N, spec: BridgeSpec) -> usize {
        let inputs = Inputs::new(net, spec.condition);
        let own = perceptron::<T, N>(net, &inputs, spec.width).len();
        4 * own + 1 + direct::values(net)
    }

    fn warm(&self) -> bool {
        self.own.saved[WARM].values[0] > T::ZERO
    }

    fn work(&self) -> MutexGuard<'_, Work<T>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Builds the rows for the states h_l, l in order.
    pub(super) fn fill<N: Network<T>>(
        &self,
        batch: &BatchView<'_, T, N>,
        condition: &[T],
        layers: Range<usize>,
        rows: &mut Rows<T>,
    ) {
        let blocks = batch.net.shape().blocks;
        rows.clear();
        for l in layers {
            let h = reached(batch.tape.hidden(l), batch.net.state(l));
            self.inputs.push(&h, l as f64 / blocks as f64, condition, rows);
        }
    }

    /// ∇V at the states h_l, l in order, for rows after the forward pass; `at_out` is overwritten with the signal at the
    /// outputs.
    pub(super) fn slope_of_value(
        &self,
        layers: Range<usize>,
        rows: &mut Rows<T>,
        kept: &Kept<T>,
        (at_out, signals, at_rows): (&mut Vec<T>, &mut [Vec<T>; 2], &mut Vec<T>),
        at_h: &mut Vec<T>,
    ) {
        let params = self.own.params();
        at_outputs(kept, self.net.outputs(), layers, at_out, |_, _| T::ONE);
        self.net.signals(params, kept, at_out, signals);
        self.net.back(params, 0, &signals[0], at_rows);
        self.inputs.down(at_rows, rows, at_h);
    }
}

/// The net for V: one output shared by all times, then one per time.
fn perceptron<T: Float, N: Network<T>>(net: &N, inputs: &Inputs, width: usize) -> Perceptron<T> {
    Perceptron::new(inputs.len(), width, net.shape().blocks + 2, Phi::Gelu)
}

/// V at time l, from the outputs of one row.
pub(super) fn value<T: Float>(outputs: &[T], l: usize) -> T {
    outputs[0] + outputs[1 + l]
}

/// The signal at the outputs for rows of the states h_l, l in order. `of` gets the row's index and its V, and gives the signal
/// at the two outputs whose sum is V; all others get 0.
pub(super) fn at_outputs<T: Float>(
    kept: &Kept<T>,
    outputs: usize,
    layers: Range<usize>,
    signal: &mut Vec<T>,
    of: impl Fn(usize, T) -> T,
) {
    let samples = kept.out.len() / outputs / layers.len();
    signal.clear();
    signal.resize(kept.out.len(), T::ZERO);
    let rows = signal.chunks_exact_mut(outputs).zip(kept.out.chunks_exact(outputs)).enumerate();
    for (row, (signal, out)) in rows {
        let l = layers.start + row / samples;
        signal[0] = of(row, value(out, l));
        signal[1 + l] = signal[0];
    }
}

impl<T: Float, N: Network<T>> Gives<T, N> for CreditBridge<T> {
    fn give(&self, batch: &BatchView<'_, T, N>, Given { credit, gradient, .. }: Given<'_, T>) {
        let blocks = credit.len() - 1;
        if blocks == 0 {
            // Without blocks, p_L is the credit of the embedding.
            return credit[0].copy_from_slice(batch.p_last);
        }
        if self.warm() {
            direct::project(batch.net, &self.own.saved[FEEDBACK..], batch.e, credit);
        } else {
            let Work { rows, kept, at_out, signals, at_rows, at_h, .. } = &mut *self.work();
            self.fill(batch, &self.inputs.condition(batch), 0..blocks, rows);
            self.net.forward(self.own.params(), &rows.x, kept);
            self.slope_of_value(0..blocks, rows, kept, (at_out, signals, at_rows), at_h);
            for (l, a) in at_h.chunks_exact(at_h.len() / blocks).enumerate() {
                give(a, batch.net.state(l + 1), &mut credit[l + 1]);
            }
            if let [embed, first, ..] = credit {
                embed.copy_from_slice(first);
            }
        }
        if let Some(gradient) = gradient {
            self.learn(batch, gradient, &mut self.work());
        }
    }

    /// The gradient is not a sum over samples: it is normalised by means over the batch, and all samples share one noise
    /// stream.
    fn own_parameters(&self) -> usize {
        self.net.len()
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for CreditBridge<T> {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Given(self)
    }

    fn saved(&self) -> &[Saved<T>] {
        &self.own.saved
    }

    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut self.own.saved
    }

    fn begin_epoch(&mut self, done: f64) {
        self.own.saved[WARM].values[0] = if done < self.spec.warm_up { T::ONE } else { T::ZERO };
    }

    fn after_step(&mut self, step: &mut AfterStep<'_, T, N>) {
        let optimiser = AdamW { lr: self.spec.bridge.lr, ..step.optimiser };
        self.own.descend(step.t, optimiser, &step.gradient.values);
        let keep = T::of(self.spec.ema);
        let rest = T::of(1.0 - self.spec.ema);
        let (fast, slow) = self.own.saved.split_at_mut(SLOW);
        let pairs = slow[0].values.iter_mut().zip(&fast[0].values);
        pairs.for_each(|(slow, &fast)| *slow = slow.mul_add(keep, rest * fast));
    }

    fn redrawn(&self, net: &N, _params: &[T], seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        let mut fresh = Self::new(net, self.spec, seed);
        fresh.own.saved[WARM] = self.own.saved[WARM].clone();
        Some(Box::new(fresh))
    }
}
