//! G(h_l, t, s) learns to predict h_L, t = l/L, by ‖G − h_L‖²/(‖h_L‖² + ε) with h_L held constant, averaged over l < L and the
//! batch. a_l = ∇ at h_l of the sample's loss of head(out_ln(G)); a_embed = a_0.
//!
//! G = S·net([LN(h), time, s]), two hidden layers of GELU. S is the root mean square of h_L over the last training batch: the
//! stream may grow by ten orders of magnitude, which no output layer could follow.

use crate::bridge::{BridgeSpec, Inputs, Kept, Own, Perceptron, Rows, Sides, give, reached};
use crate::{AfterStep, Lesson, Rule, Saved, Seen};
use nn::{Network, Tape};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tensor::random::{Purpose, Stream};
use tensor::{AdamW, Float, Phi};

/// ε beside ‖h_L‖².
const EPS: f64 = 1e-12;
/// Place of S among the saved tensors.
const SCALE: usize = 3;

/// The rule with its net.
#[derive(Debug)]
pub struct StateBridge<T> {
    spec: BridgeSpec,
    inputs: Inputs,
    net: Perceptron<T>,
    own: Own<T>,
    /// Buffers that are used again at every step; memory that is new to the process costs more than the arithmetic on it.
    work: Mutex<Predicted<T>>,
}

/// What the net makes of h_0 … h_{L−1}, layer after layer, and signals on their way down.
#[derive(Debug, Default)]
struct Predicted<T> {
    rows: Rows<T>,
    kept: Kept<T>,
    /// S·out.
    state: Vec<T>,
    /// h_L, what is read of it.
    target: Vec<T>,
    at_out: Vec<T>,
    signals: [Vec<T>; 2],
    at_rows: Vec<T>,
    at_h: Vec<T>,
}

impl<T: Float> StateBridge<T> {
    /// Draws the net.
    pub fn new<N: Network<T>>(net: &N, spec: BridgeSpec, seed: u64) -> Self {
        let inputs = Inputs::new(net, spec.condition);
        let perceptron = Perceptron::new(inputs.len(), spec.width, inputs.reach, Phi::Gelu);
        let mut own = Own::new(perceptron.draw(&mut Stream::new(seed, Purpose::Feedback)));
        own.saved.push(Saved::learned("rule.scale", &[1], vec![T::ONE]));
        Self { spec, inputs, net: perceptron, own, work: Mutex::default() }
    }

    /// Number of values that it saves.
    pub(crate) fn values<N: Network<T>>(net: &N, spec: BridgeSpec) -> usize {
        let inputs = Inputs::new(net, spec.condition);
        3 * Perceptron::<T>::new(inputs.len(), spec.width, inputs.reach, Phi::Gelu).len() + 1
    }

    /// The buffers, after a prediction.
    fn predict<N: Network<T>>(&self, seen: &Seen<'_, T, N>) -> MutexGuard<'_, Predicted<T>> {
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        let Predicted { rows, kept, state, target, .. } = &mut *work;
        let (blocks, told) = (seen.net.shape().blocks, self.inputs.condition(seen));
        rows.clear();
        for l in 0..blocks {
            let h = reached(seen.tape.hidden(l), seen.net.state(l));
            self.inputs.push(&h, l as f64 / blocks as f64, &told, rows);
        }
        self.net.forward(self.own.params(), &rows.x, kept);
        let scale = self.own.saved[SCALE].values[0];
        state.clear();
        state.extend(kept.out.iter().map(|&out| scale * out));
        target.clear();
        target.extend_from_slice(&reached(seen.tape.hidden(blocks), seen.net.state(blocks)));
        work
    }

    /// Squared error and squared size of each prediction.
    fn errors<'a>(&self, found: &'a Predicted<T>) -> impl Iterator<Item = (f64, f64)> + 'a {
        let width = self.inputs.reach;
        let targets = found.target.chunks_exact(width).cycle();
        found.state.chunks_exact(width).zip(targets).map(|(g, h)| {
            let error = g.iter().zip(h).map(|(g, h)| (g.to_f64() - h.to_f64()).powi(2)).sum();
            (error, h.iter().map(|h| h.to_f64().powi(2)).sum::<f64>() + EPS)
        })
    }

    /// Credit of each layer: down through head, last LayerNorm and net.
    fn credit_of<N: Network<T>>(
        &self,
        seen: &Seen<'_, T, N>,
        found: &mut Predicted<T>,
        credit: &mut [Vec<T>],
    ) {
        let (net, params) = (seen.net, seen.params);
        let (blocks, n) = (net.shape().blocks, seen.labels.len());
        let (last, width) = (net.state(blocks), self.inputs.reach);
        let mut tape = net.tape(n);
        // Some heads read more of the input than the last state.
        net.embed(params, seen.x, n, &mut tape);
        let mut losses = vec![T::ZERO; n];
        let mut at_state = vec![T::ZERO; n * last.width()];
        let Predicted { rows, kept, state, at_out, signals, at_rows, at_h, .. } = found;
        at_out.clear();
        let scale = self.own.saved[SCALE].values[0];
        for predicted in state.chunks_exact(n * width) {
            // Positions that the net does not predict stay as they are; the head does not read them.
            let mut h = seen.tape.hidden(blocks).to_vec();
            give(predicted, last, &mut h);
            tape.place(blocks, &h);
            net.head(params, &mut tape);
            net.judge(&mut tape, seen.labels, &mut losses);
            net.head_vjp(params, &mut tape, &mut at_state);
            at_out.extend(reached(&at_state, last).iter().map(|&p| scale * p));
        }
        let params = self.own.params();
        self.net.signals(params, kept, at_out, signals);
        self.net.back(params, 0, &signals[0], at_rows);
        self.inputs.down(at_rows, rows, at_h);
        for (l, a) in at_h.chunks_exact(n * width).enumerate() {
            give(a, net.state(l + 1), &mut credit[l + 1]);
        }
        if let [embed, first, ..] = credit {
            embed.copy_from_slice(first);
        }
    }

    /// The gradient of the prediction error.
    fn learn(&self, found: &mut Predicted<T>, lesson: &mut Lesson<T>) {
        let (width, scale) = (self.inputs.reach, self.own.saved[SCALE].values[0]);
        let factors: Vec<T> = self.errors(found).map(|(_, size)| T::of(2.0 / size) * scale).collect();
        let Predicted { rows, kept, state, target, at_out, signals, .. } = found;
        at_out.clear();
        let predictions = state.chunks_exact(width).zip(target.chunks_exact(width).cycle());
        for ((g, h), &factor) in predictions.zip(&factors) {
            at_out.extend(g.iter().zip(h).map(|(&g, &h)| factor * (g - h)));
        }
        let params = self.own.params();
        self.net.signals(params, kept, at_out, signals);
        let sides = |x, s| Sides { weight: vec![(x, s)], bias: vec![s] };
        let [first, second] = signals;
        let sides = [
            sides(&rows.x[..], &first[..]),
            sides(&kept.act[0], &second[..]),
            sides(&kept.act[1], &at_out[..]),
        ];
        self.net.gradient(params, sides, T::of(1.0 / factors.len() as f64), &mut lesson.gradient);
        let squares: f64 = target.iter().map(|h| h.to_f64().powi(2)).sum();
        lesson.observed = (squares / target.len() as f64).sqrt();
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for StateBridge<T> {
    fn name(&self) -> &'static str {
        "state_bridge"
    }

    fn credit(&self, seen: &Seen<'_, T, N>, credit: &mut [Vec<T>], lesson: Option<&mut Lesson<T>>) {
        if credit.len() == 1 {
            // Without blocks there is nothing to bridge.
            return credit[0].copy_from_slice(seen.p_last);
        }
        let mut found = self.predict(seen);
        self.credit_of(seen, &mut found, credit);
        if let Some(lesson) = lesson {
            self.learn(&mut found, lesson);
        }
    }

    fn own_parameters(&self) -> usize {
        self.net.len()
    }

    fn saved(&self) -> &[Saved<T>] {
        &self.own.saved
    }

    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut self.own.saved
    }

    fn after_step(&mut self, step: &mut AfterStep<'_, T, N>) {
        let optimiser = AdamW { lr: self.spec.lr, ..step.optimiser };
        self.own.descend(step.t, optimiser, &step.lesson.gradient);
        if step.lesson.observed > 0.0 {
            self.own.saved[SCALE].values[0] = T::of(step.lesson.observed);
        }
    }

    fn redrawn(&self, net: &N, _params: &[T], seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        let mut fresh = Self::new(net, self.spec, seed);
        fresh.own.saved[SCALE] = self.own.saved[SCALE].clone();
        Some(Box::new(fresh))
    }

    fn notes(&self, seen: &Seen<'_, T, N>) -> Vec<(&'static str, f64)> {
        if seen.net.shape().blocks == 0 {
            return Vec::new();
        }
        let found = self.predict(seen);
        let count = (found.state.len() / self.inputs.reach) as f64;
        let total: f64 = self.errors(&found).map(|(error, size)| error / size).sum();
        vec![("state_pred_error", total / count)]
    }
}
