//! a_l = ∇V(h_l, t, s) at h_l, t = l/L, and a_embed = a_0, for a scalar net V = net([LN(h), time, s]), two hidden layers of tanh.
//!
//! V learns, averaged over all L + 1 states and the batch: V(h_l) follows −τ·ln mean_k exp(−V̄(h_{l+1} + noise_k)/τ), a soft
//! minimum over K noisy copies under V̄, a slow copy of V; V(h_L) follows the sample's loss. To that is added, at h_L alone,
//! ‖∇V − p_L‖²/(‖p_L‖² + ε). For the first part of the schedule DFA gives the credit while V learns.

use super::matching::Slopes;
use super::noise::Noise;
use crate::bridge::{BridgeSpec, Inputs, Own, Perceptron, Rows, Sides, give, reached};
use crate::{AfterStep, Lesson, Rule, Saved, Seen, direct};
use nn::{Network, Tape};
use tensor::random::{Purpose, Stream};
use tensor::{AdamW, Float, Phi};

/// ε beside ‖p_L‖², far below any gradient that f32 holds.
const EPS: f64 = 1e-30;
/// Places among the saved tensors: parameters and moments come first.
const SLOW: usize = 3;
const WARM: usize = 4;
const FEEDBACK: usize = 5;

/// The rule with its net.
#[derive(Clone, Debug)]
pub struct CreditBridge<T> {
    spec: BridgeSpec,
    seed: u64,
    inputs: Inputs,
    net: Perceptron<T>,
    own: Own<T>,
}

impl<T: Float> CreditBridge<T> {
    /// Draws the net, and the feedback for the first epochs.
    pub fn new<N: Network<T>>(net: &N, spec: BridgeSpec, seed: u64) -> Self {
        let inputs = Inputs::new(net, spec.condition);
        let perceptron = Perceptron::new(inputs.len(), spec.width, 1, Phi::Blend(T::ONE));
        let mut own = Own::new(perceptron.draw(&mut Stream::at(seed, Purpose::Feedback, 1, 0)));
        let params = own.params().to_vec();
        own.saved.push(Saved::learned("rule.slow", &[params.len()], params));
        own.saved.push(Saved::learned("rule.warm", &[1], vec![T::ZERO]));
        own.saved.extend(direct::draw(net, seed));
        Self { spec, seed, inputs, net: perceptron, own }
    }

    /// Number of values that it saves.
    pub(crate) fn values<N: Network<T>>(net: &N, spec: BridgeSpec) -> usize {
        let inputs = Inputs::new(net, spec.condition);
        let own = Perceptron::<T>::new(inputs.len(), spec.width, 1, Phi::Blend(T::ONE)).len();
        4 * own + 1 + direct::sizes(net).iter().map(|(rows, cols)| rows * cols).sum::<usize>()
    }

    fn warm(&self) -> bool {
        self.own.saved[WARM].values[0] > T::ZERO
    }

    /// Rows for the states h_l, l in order.
    fn rows<N: Network<T>>(
        &self,
        seen: &Seen<'_, T, N>,
        told: &[T],
        layers: std::ops::Range<usize>,
    ) -> Rows<T> {
        let blocks = seen.net.shape().blocks;
        let mut rows = Rows::default();
        for l in layers {
            let h = reached(seen.tape.hidden(l), seen.net.state(l));
            self.inputs.push(&h, l as f64 / blocks as f64, told, &mut rows);
        }
        rows
    }

    /// ∇V at the states of these rows.
    fn slope_of_value(&self, rows: &Rows<T>) -> Vec<T> {
        let params = self.own.params();
        let kept = self.net.forward(params, &rows.x);
        let [first, ..] = self.net.signals(params, &kept, vec![T::ONE; kept.out.len()]);
        self.inputs.down(&self.net.back(params, 0, &first), rows)
    }

    /// What V(h_l) is to follow, for l = 0…L−1, layer after layer.
    fn soft_minimum<N: Network<T>>(&self, seen: &Seen<'_, T, N>, told: &[T], t: u64) -> Vec<f64> {
        let (blocks, n, copies) = (seen.net.shape().blocks, seen.labels.len(), self.spec.copies);
        let mut noise = Noise::new(self.seed, t, self.inputs.reach, self.spec.noise);
        let mut targets = Vec::with_capacity(n * blocks);
        for l in 1..=blocks {
            let h = reached(seen.tape.hidden(l), seen.net.state(l));
            let mut moved = Vec::with_capacity(copies * h.len());
            (0..copies).for_each(|_| noise.copy(&h, self.inputs.reach, &mut moved));
            let mut rows = Rows::default();
            self.inputs.push(&moved, l as f64 / blocks as f64, told, &mut rows);
            let value = self.net.forward(&self.own.saved[SLOW].values, &rows.x).out;
            let temperature = self.spec.temperature;
            targets.extend((0..n).map(|i| {
                let copy = |k: usize| value[k * n + i].to_f64();
                let least = (0..copies).map(copy).fold(f64::INFINITY, f64::min);
                let mean = (0..copies).map(|k| libm::exp((least - copy(k)) / temperature)).sum::<f64>();
                least - temperature * libm::log(mean / copies as f64)
            }));
        }
        targets
    }

    /// The gradient of everything that V learns from.
    pub(super) fn learn<N: Network<T>>(&self, seen: &Seen<'_, T, N>, lesson: &mut Lesson<T>) {
        let (blocks, n, reach) = (seen.net.shape().blocks, seen.labels.len(), self.inputs.reach);
        let (told, params) = (self.inputs.condition(seen), self.own.params());
        let rows = self.rows(seen, &told, 0..blocks + 1);
        let kept = self.net.forward(params, &rows.x);
        let mut targets = self.soft_minimum(seen, &told, lesson.t);
        targets.extend(seen.losses.iter().map(|loss| loss.to_f64()));
        // The mean over n samples is taken at the end, with that of the matching.
        let share = 2.0 / (blocks + 1) as f64;
        let off = |(value, target): (&T, &f64)| T::of(share * (value.to_f64() - target));
        let at_out = kept.out.iter().zip(&targets).map(off).collect();
        let [first, second, out] = self.net.signals(params, &kept, at_out);

        let last = self.rows(seen, &told, blocks..blocks + 1);
        let slope = self.slope_of_value(&last);
        let p = reached(seen.p_last, seen.net.state(blocks));
        let mut u = Vec::with_capacity(slope.len());
        for (slope, p) in slope.chunks_exact(reach).zip(p.chunks_exact(reach)) {
            let size: f64 = p.iter().map(|p| p.to_f64().powi(2)).sum();
            let factor = T::of(2.0 * self.spec.matching / (size + EPS));
            u.extend(slope.iter().zip(p).map(|(&slope, &p)| factor * (slope - p)));
        }
        let kept_last = self.net.forward(params, &last.x);
        let slopes = Slopes::new(&self.net, params, &kept_last, self.inputs.along(&u, &last));
        let Slopes { moved, s, r } = &slopes;
        let inputs = [&rows.x, &kept.act[0], &kept.act[1]];
        let inputs_last = [&last.x, &kept_last.act[0], &kept_last.act[1]];
        let signals = [first, second, out];
        // The bias of a layer sees r as well: it comes after the signals of the value.
        let biases: [Vec<T>; 3] = [0, 1, 2].map(|i| [&signals[i][..], &r[i][..]].concat());
        let sides = [0, 1, 2].map(|i| Sides {
            weight: vec![
                (&inputs[i][..], &signals[i][..]),
                (&moved[i][..], &s[i][..]),
                (&inputs_last[i][..], &r[i][..]),
            ],
            bias: &biases[i],
        });
        self.net.gradient(params, sides, T::of(1.0 / n as f64), &mut lesson.gradient);
    }
}

impl<T: Float, N: Network<T>> Rule<T, N> for CreditBridge<T> {
    fn name(&self) -> &'static str {
        "credit_bridge"
    }

    fn credit(&self, seen: &Seen<'_, T, N>, credit: &mut [Vec<T>], lesson: Option<&mut Lesson<T>>) {
        let blocks = credit.len() - 1;
        if blocks == 0 {
            // Without blocks there is nothing to bridge.
            return credit[0].copy_from_slice(seen.p_last);
        }
        if self.warm() {
            direct::project(seen.net, &self.own.saved[FEEDBACK..], seen.e, credit);
        } else {
            let rows = self.rows(seen, &self.inputs.condition(seen), 0..blocks);
            let at_h = self.slope_of_value(&rows);
            for (l, a) in at_h.chunks_exact(at_h.len() / blocks).enumerate() {
                give(a, seen.net.state(l + 1), &mut credit[l + 1]);
            }
            if let [embed, first, ..] = credit {
                embed.copy_from_slice(first);
            }
        }
        if let Some(lesson) = lesson {
            self.learn(seen, lesson);
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

    fn begin_epoch(&mut self, done: f64) {
        self.own.saved[WARM].values[0] = if done < self.spec.warm_up { T::ONE } else { T::ZERO };
    }

    fn after_step(&mut self, step: &AfterStep<'_, T, N>) {
        let optimiser = AdamW { lr: self.spec.lr, ..step.optimiser };
        self.own.descend(step.t, optimiser, &step.lesson.gradient);
        let (keep, rest) = (T::of(self.spec.ema), T::of(1.0 - self.spec.ema));
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
