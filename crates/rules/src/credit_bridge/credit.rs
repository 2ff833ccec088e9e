//! a_l = ∇V(h_l, t, s) at h_l, t = l/L, and a_embed = a_0, for a scalar V = net([LN(h), time, s]): two hidden layers of GELU,
//! which is smooth and bends at 0, since the gradient has to turn products of state and condition. V is the sum of two outputs, one
//! for all times and one, 0 at first, of its own time: what is learned at one time serves the others from the start, and yet L + 1
//! functions come apart faster than by the time among the inputs alone.
//!
//! V learns, summed over all L + 1 states and averaged over the batch: V(h_l) follows −τ·ln mean_k exp(−V̄(h_{l+1} + noise_k)/τ), a soft
//! minimum over K noisy copies under V̄, a slow copy of V; V(h_L) follows the sample's loss; squared errors count in units of
//! the batch's mean squared loss. To that is added, at h_L alone, ‖∇V − p_L‖²/(‖p_L‖² + ε). The units matter: what is told
//! beside the state all but gives the loss away, so that the value alone would have V ignore the state, and only the matching
//! keeps it from that. For the first part of the schedule DFA gives the credit while V learns.

use super::matching::Slopes;
use super::noise::Noise;
use crate::bridge::{BridgeSpec, Inputs, Kept, Own, Perceptron, Rows, Sides, give, reached};
use crate::{AfterStep, Lesson, Rule, Saved, Seen, direct};
use nn::{Network, Tape};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tensor::random::{Purpose, Stream};
use tensor::{AdamW, Float, Phi};

/// ε beside ‖p_L‖², as a share of its mean over the batch: a sample that is all but solved must not drown the others.
const EPS: f64 = 1e-6;
/// Places among the saved tensors: parameters and moments come first.
const SLOW: usize = 3;
const WARM: usize = 4;
const FEEDBACK: usize = 5;

/// The rule with its net.
#[derive(Debug)]
pub struct CreditBridge<T> {
    spec: BridgeSpec,
    seed: u64,
    inputs: Inputs,
    net: Perceptron<T>,
    own: Own<T>,
    /// Buffers that are used again at every step; memory that is new to the process costs more than the arithmetic on it.
    work: Mutex<Work<T>>,
}

#[derive(Debug, Default)]
struct Work<T> {
    /// Rows of all states, or of one noisy copy.
    rows: Rows<T>,
    kept: Kept<T>,
    /// Rows of h_L.
    last: Rows<T>,
    kept_last: Kept<T>,
    moved: Vec<T>,
    at_out: Vec<T>,
    signals: [Vec<T>; 2],
    at_rows: Vec<T>,
    at_h: Vec<T>,
    u: Vec<T>,
    slopes: Slopes<T>,
}

impl<T: Float> CreditBridge<T> {
    /// Draws the net, and the feedback for the first epochs.
    pub fn new<N: Network<T>>(net: &N, spec: BridgeSpec, seed: u64) -> Self {
        let inputs = Inputs::new(net, spec.condition);
        let perceptron = perceptron(net, &inputs, spec.width);
        let mut params = perceptron.draw(&mut Stream::at(seed, Purpose::Feedback, 1, 0));
        perceptron.silence(&mut params, 1..perceptron.outputs());
        let mut own = Own::new(params.clone());
        own.saved.push(Saved::learned("rule.slow", &[params.len()], params));
        let warm = if spec.warm_up > 0.0 { T::ONE } else { T::ZERO };
        own.saved.push(Saved::learned("rule.warm", &[1], vec![warm]));
        own.saved.extend(direct::draw(net, seed));
        Self { spec, seed, inputs, net: perceptron, own, work: Mutex::default() }
    }

    /// Number of values that it saves.
    pub(crate) fn values<N: Network<T>>(net: &N, spec: BridgeSpec) -> usize {
        let inputs = Inputs::new(net, spec.condition);
        let own = perceptron::<T, N>(net, &inputs, spec.width).len();
        4 * own + 1 + direct::sizes(net).iter().map(|(rows, cols)| rows * cols).sum::<usize>()
    }

    fn warm(&self) -> bool {
        self.own.saved[WARM].values[0] > T::ZERO
    }

    fn work(&self) -> MutexGuard<'_, Work<T>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rows for the states h_l, l in order.
    fn fill<N: Network<T>>(
        &self,
        seen: &Seen<'_, T, N>,
        told: &[T],
        layers: Range<usize>,
        rows: &mut Rows<T>,
    ) {
        let blocks = seen.net.shape().blocks;
        rows.clear();
        for l in layers {
            let h = reached(seen.tape.hidden(l), seen.net.state(l));
            self.inputs.push(&h, l as f64 / blocks as f64, told, rows);
        }
    }

    /// ∇V at the states h_l, l in order, of rows that have run forward; `at_out` becomes the signal at the outputs.
    fn slope_of_value(
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

    /// What V(h_l) is to follow, for l = 0…L−1, layer after layer.
    fn soft_minimum<N: Network<T>>(
        &self,
        seen: &Seen<'_, T, N>,
        told: &[T],
        t: u64,
        work: &mut Work<T>,
    ) -> Vec<f64> {
        let Work { rows, kept, moved, .. } = work;
        let (blocks, n, copies) = (seen.net.shape().blocks, seen.labels.len(), self.spec.copies);
        let mut noise = Noise::new(self.seed, t, self.inputs.reach, self.spec.noise);
        let (mut targets, mut values) = (Vec::with_capacity(n * blocks), Vec::with_capacity(n * copies));
        for l in 1..=blocks {
            let h = reached(seen.tape.hidden(l), seen.net.state(l));
            values.clear();
            // One copy at a time: it stays in the cache.
            for _ in 0..copies {
                moved.clear();
                noise.copy(&h, self.inputs.reach, moved);
                rows.clear();
                self.inputs.push(moved, l as f64 / blocks as f64, told, rows);
                self.net.forward(&self.own.saved[SLOW].values, &rows.x, kept);
                values.extend(kept.out.chunks_exact(self.net.outputs()).map(|out| value(out, l).to_f64()));
            }
            let temperature = self.spec.temperature;
            targets.extend((0..n).map(|i| {
                let copy = |k: usize| values[k * n + i];
                let least = (0..copies).map(copy).fold(f64::INFINITY, f64::min);
                let mean = (0..copies).map(|k| libm::exp((least - copy(k)) / temperature)).sum::<f64>();
                least - temperature * libm::log(mean / copies as f64)
            }));
        }
        targets
    }

    /// The gradient of everything that V learns from.
    fn learn<N: Network<T>>(&self, seen: &Seen<'_, T, N>, lesson: &mut Lesson<T>, work: &mut Work<T>) {
        let (blocks, n, reach) = (seen.net.shape().blocks, seen.labels.len(), self.inputs.reach);
        let (told, params) = (self.inputs.condition(seen), self.own.params());
        let mut targets = self.soft_minimum(seen, &told, lesson.t, work);
        targets.extend(seen.losses.iter().map(|loss| loss.to_f64()));

        // ∇V at h_L, how far it is from p_L, and the slopes along that.
        let Work { rows, kept, last, kept_last, at_out, signals, at_rows, at_h, u, slopes, .. } = work;
        self.fill(seen, &told, blocks..blocks + 1, last);
        self.net.forward(params, &last.x, kept_last);
        let buffers = (&mut slopes.s[2], &mut *signals, &mut *at_rows);
        self.slope_of_value(blocks..blocks + 1, last, kept_last, buffers, at_h);
        let p = reached(seen.p_last, seen.net.state(blocks));
        u.clear();
        let square = |p: &[T]| p.iter().map(|p| p.to_f64().powi(2)).sum::<f64>();
        let mean = square(&p) / n as f64;
        for (slope, p) in at_h.chunks_exact(reach).zip(p.chunks_exact(reach)) {
            let factor = T::of(2.0 * self.spec.matching * inverse(square(p) + EPS * mean));
            u.extend(slope.iter().zip(p).map(|(&slope, &p)| factor * (slope - p)));
        }
        self.inputs.along(u, last, &mut slopes.moved[0]);
        slopes.find(&self.net, params, &last.x, kept_last);

        // The values; the mean over n samples is taken at the end, with that of the matching.
        self.fill(seen, &told, 0..blocks + 1, rows);
        self.net.forward(params, &rows.x, kept);
        let unit = seen.losses.iter().map(|loss| loss.to_f64().powi(2)).sum::<f64>() / n as f64;
        let share = 2.0 * inverse(unit);
        at_outputs(kept, self.net.outputs(), 0..blocks + 1, at_out, |row, value| {
            T::of(share * (value.to_f64() - targets[row]))
        });
        self.net.signals(params, kept, at_out, signals);

        let Slopes { moved, s, r, .. } = slopes;
        let inputs = [&rows.x, &kept.act[0], &kept.act[1]];
        let inputs_last = [&last.x, &kept_last.act[0], &kept_last.act[1]];
        let of_value = [&signals[0], &signals[1], at_out];
        let sides = [0, 1, 2].map(|i| Sides {
            weight: vec![
                (&inputs[i][..], &of_value[i][..]),
                (&moved[i][..], &s[i][..]),
                (&inputs_last[i][..], &r[i][..]),
            ],
            bias: vec![of_value[i], &r[i]],
        });
        self.net.gradient(params, sides, T::of(1.0 / n as f64), &mut lesson.gradient);
    }
}

/// The net for V: an output for all times, then one for each.
fn perceptron<T: Float, N: Network<T>>(net: &N, inputs: &Inputs, width: usize) -> Perceptron<T> {
    Perceptron::new(inputs.len(), width, net.shape().blocks + 2, Phi::Gelu)
}

/// V at time l, from the outputs of a row.
fn value<T: Float>(outputs: &[T], l: usize) -> T {
    outputs[0] + outputs[1 + l]
}

/// A signal at the outputs for rows of the states h_l, l in order: `of` the row's place and its V at the two outputs that V is the
/// sum of, 0 at the others.
fn at_outputs<T: Float>(
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

/// 1/x; 0 where a batch is solved so well that f32 cannot hold it, and has nothing left to teach.
fn inverse(x: f64) -> f64 {
    if x > f64::from(f32::MIN_POSITIVE) { 1.0 / x } else { 0.0 }
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
            let Work { rows, kept, at_out, signals, at_rows, at_h, .. } = &mut *self.work();
            self.fill(seen, &self.inputs.condition(seen), 0..blocks, rows);
            self.net.forward(self.own.params(), &rows.x, kept);
            self.slope_of_value(0..blocks, rows, kept, (at_out, signals, at_rows), at_h);
            for (l, a) in at_h.chunks_exact(at_h.len() / blocks).enumerate() {
                give(a, seen.net.state(l + 1), &mut credit[l + 1]);
            }
            if let [embed, first, ..] = credit {
                embed.copy_from_slice(first);
            }
        }
        if let Some(lesson) = lesson {
            self.learn(seen, lesson, &mut self.work());
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

    fn after_step(&mut self, step: &mut AfterStep<'_, T, N>) {
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
