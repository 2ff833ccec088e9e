//! The loss of V, summed over all L + 1 states and averaged over the batch. The target of V(h_l) is −τ·ln mean_k
//! exp(−V̄(h_{l+1} + noise_k)/τ), a soft minimum over K noisy copies under V̄, a slow copy of V. The target of V(h_L) is the
//! sample's loss. Squared errors are in units of the batch's mean squared loss. At h_L alone, ‖∇V − p_L‖²/(‖p_L‖² + ε) is
//! added. The units matter: the condition almost determines the loss, so the value loss alone would let V ignore the state.
//! Only the matching term prevents that.

use super::matching::Slopes;
use super::noise::Noise;
use super::value::{CreditBridge, SLOW, Work, at_outputs, value};
use crate::bridge::{Sides, reached};
use crate::{BatchView, RuleGradient};
use nn::{Network, Tape};
use tensor::Float;

/// ε added to ‖p_L‖², as a share of its batch mean: without it, samples that are almost solved would dominate.
const EPS: f64 = 1e-6;

impl<T: Float> CreditBridge<T> {
    /// Targets of V(h_l) for l = 0…L−1, layer after layer.
    fn soft_minimum<N: Network<T>>(
        &self,
        batch: &BatchView<'_, T, N>,
        condition: &[T],
        t: u64,
        work: &mut Work<T>,
    ) -> Vec<f64> {
        let Work { rows, kept, moved, .. } = work;
        let blocks = batch.net.shape().blocks;
        let n = batch.labels.len();
        let copies = self.spec.copies;
        let mut noise = Noise::new(self.seed, t, self.inputs.reach, self.spec.noise);
        let mut targets = Vec::with_capacity(n * blocks);
        let mut values = Vec::with_capacity(n * copies);
        for l in 1..=blocks {
            let h = reached(batch.tape.hidden(l), batch.net.state(l));
            values.clear();
            // One copy at a time, so that it stays in the cache.
            for _ in 0..copies {
                moved.clear();
                noise.copy(&h, self.inputs.reach, moved);
                rows.clear();
                self.inputs.push(moved, l as f64 / blocks as f64, condition, rows);
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

    /// The gradient of the whole loss of V.
    pub(super) fn learn<N: Network<T>>(
        &self,
        batch: &BatchView<'_, T, N>,
        into: &mut RuleGradient<T>,
        work: &mut Work<T>,
    ) {
        let blocks = batch.net.shape().blocks;
        let n = batch.labels.len();
        let reach = self.inputs.reach;
        let condition = self.inputs.condition(batch);
        let params = self.own.params();
        let mut targets = self.soft_minimum(batch, &condition, into.t, work);
        targets.extend(batch.losses.iter().map(|loss| loss.to_f64()));

        // ∇V at h_L, its difference from p_L, and the slopes along that difference.
        let Work { rows, kept, last, kept_last, at_out, signals, at_rows, at_h, u, slopes, .. } = work;
        self.fill(batch, &condition, blocks..blocks + 1, last);
        self.net.forward(params, &last.x, kept_last);
        let buffers = (&mut slopes.s[2], &mut *signals, &mut *at_rows);
        self.slope_of_value(blocks..blocks + 1, last, kept_last, buffers, at_h);
        let p = reached(batch.p_last, batch.net.state(blocks));
        u.clear();
        let square = |p: &[T]| p.iter().map(|p| p.to_f64().powi(2)).sum::<f64>();
        let mean = square(&p) / n as f64;
        for (slope, p) in at_h.chunks_exact(reach).zip(p.chunks_exact(reach)) {
            let factor = T::of(2.0 * self.spec.matching * inverse(square(p) + EPS * mean));
            u.extend(slope.iter().zip(p).map(|(&slope, &p)| factor * (slope - p)));
        }
        self.inputs.along(u, last, &mut slopes.moved[0]);
        slopes.find(&self.net, params, &last.x, kept_last);

        // The value loss. The mean over n samples is taken at the end, together with that of the matching term.
        self.fill(batch, &condition, 0..blocks + 1, rows);
        self.net.forward(params, &rows.x, kept);
        let unit = batch.losses.iter().map(|loss| loss.to_f64().powi(2)).sum::<f64>() / n as f64;
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
        self.net.gradient(params, sides, T::of(1.0 / n as f64), &mut into.values);
    }
}

/// 1/x, or 0 if x is below the smallest normal f32: the batch is solved, and nothing is left to learn.
fn inverse(x: f64) -> f64 {
    if x > f64::from(f32::MIN_POSITIVE) { 1.0 / x } else { 0.0 }
}
