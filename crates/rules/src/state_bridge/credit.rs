//! G(h_l, t, s) learns to predict h_L, t = l/L, by ‖G − h_L‖²/(‖h_L‖² + ε) with h_L held constant, averaged over l < L and the
//! batch. a_l = ∇ at h_l of the sample's loss of head(out_ln(G)); a_embed = a_0.
//!
//! G = S·net([LN(h), time, s]), two hidden layers of GELU. S is the root mean square of h_L over the last training batch: the
//! stream may grow by ten orders of magnitude, which no output layer could follow.

use crate::bridge::{BridgeSpec, Inputs, Kept, Own, Perceptron, Rows, Sides, give, reached};
use crate::{AfterStep, Lesson, Rule, Saved, Seen};
use nn::{Network, Tape};
use tensor::random::{Purpose, Stream};
use tensor::{AdamW, Float, Phi};

/// ε beside ‖h_L‖².
const EPS: f64 = 1e-12;
/// Place of S among the saved tensors.
const SCALE: usize = 3;

/// The rule with its net.
#[derive(Clone, Debug)]
pub struct StateBridge<T> {
    spec: BridgeSpec,
    inputs: Inputs,
    net: Perceptron<T>,
    own: Own<T>,
}

/// What the net makes of h_0 … h_{L−1}, layer after layer.
struct Predicted<T> {
    rows: Rows<T>,
    kept: Kept<T>,
    /// S·out.
    state: Vec<T>,
    /// h_L, what is read of it.
    target: Vec<T>,
}

impl<T: Float> StateBridge<T> {
    /// Draws the net.
    pub fn new<N: Network<T>>(net: &N, spec: BridgeSpec, seed: u64) -> Self {
        let inputs = Inputs::new(net, spec.condition);
        let perceptron = Perceptron::new(inputs.len(), spec.width, inputs.reach, Phi::Gelu);
        let mut own = Own::new(perceptron.draw(&mut Stream::new(seed, Purpose::Feedback)));
        own.saved.push(Saved::learned("rule.scale", &[1], vec![T::ONE]));
        Self { spec, inputs, net: perceptron, own }
    }

    /// Number of values that it saves.
    pub(crate) fn values<N: Network<T>>(net: &N, spec: BridgeSpec) -> usize {
        let inputs = Inputs::new(net, spec.condition);
        3 * Perceptron::<T>::new(inputs.len(), spec.width, inputs.reach, Phi::Gelu).len() + 1
    }

    fn predict<N: Network<T>>(&self, seen: &Seen<'_, T, N>) -> Predicted<T> {
        let (blocks, told) = (seen.net.shape().blocks, self.inputs.condition(seen));
        let mut rows = Rows::default();
        for l in 0..blocks {
            let h = reached(seen.tape.hidden(l), seen.net.state(l));
            self.inputs.push(&h, l as f64 / blocks as f64, &told, &mut rows);
        }
        let kept = self.net.forward(self.own.params(), &rows.x);
        let scale = self.own.saved[SCALE].values[0];
        let state = kept.out.iter().map(|&out| scale * out).collect();
        let target = reached(seen.tape.hidden(blocks), seen.net.state(blocks));
        Predicted { rows, kept, state, target }
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
    fn credit_of<N: Network<T>>(&self, seen: &Seen<'_, T, N>, found: &Predicted<T>, credit: &mut [Vec<T>]) {
        let (net, params) = (seen.net, seen.params);
        let (blocks, n) = (net.shape().blocks, seen.labels.len());
        let (last, width) = (net.state(blocks), self.inputs.reach);
        let mut tape = net.tape(n);
        // Some heads read more of the input than the last state.
        net.embed(params, seen.x, n, &mut tape);
        let mut losses = vec![T::ZERO; n];
        let mut at_state = vec![T::ZERO; n * last.width()];
        let mut at_out = Vec::with_capacity(found.state.len());
        let scale = self.own.saved[SCALE].values[0];
        for predicted in found.state.chunks_exact(n * width) {
            // Positions that the net does not predict stay as they are; the head does not read them.
            let mut h = seen.tape.hidden(blocks).to_vec();
            give(predicted, last, &mut h);
            tape.place(blocks, &h);
            net.head(params, &mut tape);
            net.judge(&mut tape, seen.labels, &mut losses);
            net.head_vjp(params, &mut tape, &mut at_state);
            at_out.extend(reached(&at_state, last).into_iter().map(|p| scale * p));
        }
        let params = self.own.params();
        let [first, ..] = self.net.signals(params, &found.kept, at_out);
        let at_h = self.inputs.down(&self.net.back(params, 0, &first), &found.rows);
        for (l, a) in at_h.chunks_exact(n * width).enumerate() {
            give(a, net.state(l + 1), &mut credit[l + 1]);
        }
        if let [embed, first, ..] = credit {
            embed.copy_from_slice(first);
        }
    }

    /// The gradient of the prediction error.
    fn learn(&self, found: &Predicted<T>, lesson: &mut Lesson<T>) {
        let width = self.inputs.reach;
        let scale = self.own.saved[SCALE].values[0];
        let mut at_out = Vec::with_capacity(found.state.len());
        let rows = found.state.chunks_exact(width).zip(found.target.chunks_exact(width).cycle());
        for ((g, h), (_, size)) in rows.zip(self.errors(found)) {
            let factor = T::of(2.0 / size) * scale;
            at_out.extend(g.iter().zip(h).map(|(&g, &h)| factor * (g - h)));
        }
        let count = (found.state.len() / width).max(1) as f64;
        let params = self.own.params();
        let [first, second, out] = self.net.signals(params, &found.kept, at_out);
        let sides = |x, s| Sides { weight: vec![(x, s)], bias: s };
        let Kept { act, .. } = &found.kept;
        let sides = [sides(&found.rows.x, &first[..]), sides(&act[0], &second[..]), sides(&act[1], &out[..])];
        self.net.gradient(params, sides, T::of(1.0 / count), &mut lesson.gradient);
        let squares: f64 = found.target.iter().map(|h| h.to_f64().powi(2)).sum();
        lesson.observed = (squares / found.target.len() as f64).sqrt();
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
        let found = self.predict(seen);
        self.credit_of(seen, &found, credit);
        if let Some(lesson) = lesson {
            self.learn(&found, lesson);
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

    fn after_step(&mut self, step: &AfterStep<'_, T, N>) {
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
