//! State bridge: a net learns to predict the last hidden state from each earlier one. Credit is the gradient of the loss of
//! that prediction. The prediction is almost perfect and still says little about how the loss depends on the state that the net
//! read.
//!
//! G(h_l, t, s) learns to predict h_L, t = l/L, with the loss ‖G − h_L‖²/(‖h_L‖² + ε), h_L held constant, averaged over l < L
//! and the batch. a_l = ∇ at h_l of the sample's loss of head(out_ln(G)); a_embed = a_0.
//!
//! G = S·net([LN(h), time, s]), with two hidden GELU layers. S is the root mean square of h_L over the last training batch: the
//! stream may grow by ten orders of magnitude, and no output layer could follow that.

use crate::bridge::{self, BridgeSpec, Inputs, Kept, Own, Perceptron, Rows, Sides, give, reached};
use crate::definition::Definition;
use crate::normalise::NORMALISE;
use crate::{AfterStep, BatchView, Bridged, Credit, Formula, Given, Gives, Rule, RuleGradient, Saved};
use nn::{Network, Tape};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tensor::random::{Purpose, Stream};
use tensor::{AdamW, Float, Phi};

/// ε added to ‖h_L‖².
const EPS: f64 = 1e-12;
/// Index of S among the saved tensors.
const SCALE: usize = 3;

/// The rule with its net.
#[derive(Debug)]
pub(crate) struct StateBridge<T> {
    spec: BridgeSpec,
    inputs: Inputs,
    net: Perceptron<T>,
    own: Own<T>,
    /// Buffers reused at every step: allocating new memory costs more than the arithmetic on it.
    work: Mutex<Predicted<T>>,
}

/// The net's predictions from h_0 … h_{L−1}, layer after layer, and signals of the backward pass.
#[derive(Debug, Default)]
struct Predicted<T> {
    rows: Rows<T>,
    kept: Kept<T>,
    /// S·out.
    state: Vec<T>,
    /// h_L, the values that the net reads.
    target: Vec<T>,
    at_out: Vec<T>,
    signals: [Vec<T>; 2],
    at_rows: Vec<T>,
    at_h: Vec<T>,
}

impl<T: Float> StateBridge<T> {
    /// Draws the net.
    fn new<N: Network<T>>(net: &N, spec: BridgeSpec, seed: u64) -> Self {
        let inputs = Inputs::new(net, spec.condition);
        let perceptron = Perceptron::new(inputs.len(), spec.width, inputs.reach, Phi::Gelu);
        let mut own = Own::new(perceptron.draw(&mut Stream::new(seed, Purpose::Feedback)));
        own.saved.push(Saved::learned("rule.scale", &[1], vec![T::ONE]));
        Self { spec, inputs, net: perceptron, own, work: Mutex::default() }
    }

    /// Number of values in its saved tensors.
    fn values<N: Network<T>>(net: &N, spec: BridgeSpec) -> usize {
        let inputs = Inputs::new(net, spec.condition);
        3 * Perceptron::<T>::new(inputs.len(), spec.width, inputs.reach, Phi::Gelu).len() + 1
    }

    /// Runs the net and returns the buffers.
    fn predict<N: Network<T>>(&self, batch: &BatchView<'_, T, N>) -> MutexGuard<'_, Predicted<T>> {
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        let Predicted { rows, kept, state, target, .. } = &mut *work;
        let blocks = batch.net.shape().blocks;
        let condition = self.inputs.condition(batch);
        rows.clear();
        for l in 0..blocks {
            let h = reached(batch.tape.hidden(l), batch.net.state(l));
            self.inputs.push(&h, l as f64 / blocks as f64, &condition, rows);
        }
        self.net.forward(self.own.params(), &rows.x, kept);
        let scale = self.own.saved[SCALE].values[0];
        state.clear();
        state.extend(kept.out.iter().map(|&out| scale * out));
        target.clear();
        target.extend_from_slice(&reached(batch.tape.hidden(blocks), batch.net.state(blocks)));
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

    /// Credit of each layer: down through the head, the last LayerNorm and the net.
    fn credit_of<N: Network<T>>(
        &self,
        batch: &BatchView<'_, T, N>,
        found: &mut Predicted<T>,
        credit: &mut [Vec<T>],
    ) {
        let BatchView { net, params, .. } = *batch;
        let blocks = net.shape().blocks;
        let n = batch.labels.len();
        let last = net.state(blocks);
        let width = self.inputs.reach;
        let mut tape = net.tape(n);
        // Some heads read the input as well as the last state.
        net.embed(params, batch.x, n, &mut tape);
        let mut losses = vec![T::ZERO; n];
        let mut at_state = vec![T::ZERO; n * last.width()];
        let Predicted { rows, kept, state, at_out, signals, at_rows, at_h, .. } = found;
        at_out.clear();
        let scale = self.own.saved[SCALE].values[0];
        for predicted in state.chunks_exact(n * width) {
            // Positions that the net does not predict keep their values; the head does not read them.
            let mut h = batch.tape.hidden(blocks).to_vec();
            give(predicted, last, &mut h);
            tape.place(blocks, &h);
            net.head(params, &mut tape);
            net.loss(&mut tape, batch.labels, &mut losses);
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
    fn learn(&self, found: &mut Predicted<T>, into: &mut RuleGradient<T>) {
        let width = self.inputs.reach;
        let scale = self.own.saved[SCALE].values[0];
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
        self.net.gradient(params, sides, T::of(1.0 / factors.len() as f64), &mut into.values);
        let squares: f64 = target.iter().map(|h| h.to_f64().powi(2)).sum();
        into.observed = (squares / target.len() as f64).sqrt();
    }
}

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        keys: &[bridge::CONDITION, bridge::WIDTH, bridge::LR, NORMALISE],
        formula: |spec| Some(Formula::Bridge(Bridged::State, bridge::condition(spec))),
        unfit: bridge::unfit,
        saved_values: |spec, net| StateBridge::<T>::values(net, BridgeSpec::new(spec)),
        work: |spec, net, _| {
            let predictions = 5.0 * net.shape().blocks as f64;
            predictions * bridge::work(spec, net, net.state(0).reached_features() as f64)
        },
        ..Definition::new(
            "a_l = ∇ at h_l of the loss of head(out_ln(G(h_l, l/L, s))),   a_embed = a_0\n\
             G learns ‖G − h_L‖² / ‖h_L‖²",
            "G: a net of the rule's own that predicts the last state from each earlier one; s is \
             rule.condition.",
            |spec, net, _, seed| Box::new(StateBridge::new(net, BridgeSpec::new(spec), seed)),
        )
    }
}

impl<T: Float, N: Network<T>> Gives<T, N> for StateBridge<T> {
    fn give(&self, batch: &BatchView<'_, T, N>, Given { credit, gradient, report }: Given<'_, T>) {
        if credit.len() == 1 {
            // Without blocks, p_L is the credit of the embedding.
            return credit[0].copy_from_slice(batch.p_last);
        }
        let mut found = self.predict(batch);
        self.credit_of(batch, &mut found, credit);
        if let Some(gradient) = gradient {
            self.learn(&mut found, gradient);
        }
        if let Some(report) = report {
            let count = (found.state.len() / self.inputs.reach) as f64;
            let total: f64 = self.errors(&found).map(|(error, size)| error / size).sum();
            report.notes.push(("state_pred_error", total / count));
        }
    }

    /// The gradient is a sum over samples, but it is computed layer by layer from the rows that the credit computation leaves
    /// in the rule's buffers, and there is only one set of buffers.
    fn own_parameters(&self) -> usize {
        self.net.len()
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for StateBridge<T> {
    fn credit(&self) -> Credit<'_, T, N> {
        Credit::Given(self)
    }

    fn saved(&self) -> &[Saved<T>] {
        &self.own.saved
    }

    fn saved_mut(&mut self) -> &mut [Saved<T>] {
        &mut self.own.saved
    }

    fn after_step(&mut self, step: &mut AfterStep<'_, T, N>) {
        let optimiser = AdamW { lr: self.spec.lr, ..step.optimiser };
        self.own.descend(step.t, optimiser, &step.gradient.values);
        if step.gradient.observed > 0.0 {
            self.own.saved[SCALE].values[0] = T::of(step.gradient.observed);
        }
    }

    fn redrawn(&self, net: &N, _params: &[T], seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        let mut fresh = Self::new(net, self.spec, seed);
        fresh.own.saved[SCALE] = self.own.saved[SCALE].clone();
        Some(Box::new(fresh))
    }
}
