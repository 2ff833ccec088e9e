//! The inputs of a bridge net: LN(h), features of the time t = l/L, and the condition s, concatenated.

use super::sized;
use crate::{BatchView, Condition};
use nn::{Network, State};
use std::borrow::Cow;
use tensor::{Float, layer_norm, layer_norm_input_grad};

/// Number of time features: sine and cosine of 2^k·πt for k = 0…3.
pub(crate) const TIMES: usize = 8;

/// Layout of one input row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs {
    /// Number of state values that the net reads.
    pub(crate) reach: usize,
    condition: Condition,
    /// Number of values in the condition.
    condition_len: usize,
}

/// Input rows for a bridge net, with what the backward pass to the states needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows<T> {
    pub(crate) x: Vec<T>,
    xhat: Vec<T>,
    rstd: Vec<T>,
    scratch: Vec<T>,
}

impl<T> Rows<T> {
    /// Empties the rows; the memory is kept.
    pub(crate) fn clear(&mut self) {
        self.x.clear();
        self.xhat.clear();
        self.rstd.clear();
    }
}

impl Inputs {
    pub(crate) fn new<T: Float, N: Network<T>>(net: &N, condition: Condition) -> Self {
        let reach = net.state(net.shape().blocks).reached_features();
        let condition_len = match condition {
            Condition::Error => net.shape().classes,
            Condition::Gradient => reach,
        };
        Self { reach, condition, condition_len }
    }

    /// Number of values in a row.
    pub(crate) fn len(&self) -> usize {
        self.reach + TIMES + self.condition_len
    }

    /// The condition of each sample.
    pub(crate) fn condition<T: Float, N: Network<T>>(&self, batch: &BatchView<'_, T, N>) -> Vec<T> {
        match self.condition {
            Condition::Error => batch.e.to_vec(),
            Condition::Gradient => {
                let mut p = reached(batch.p_last, batch.net.state(batch.net.shape().blocks)).into_owned();
                for row in p.chunks_exact_mut(self.reach) {
                    let squares: f64 = row.iter().map(|x| x.to_f64().powi(2)).sum();
                    // A gradient of exactly 0 stays 0.
                    let rms = (squares / self.reach as f64).sqrt();
                    if rms > 0.0 {
                        row.iter_mut().for_each(|x| *x = T::of(x.to_f64() / rms));
                    }
                }
                p
            }
        }
    }

    /// Appends one row per state in `h` (only the values that the net reads), all with the same time. State i gets the
    /// condition of sample i; with more states than samples, the conditions repeat.
    pub(crate) fn push<T: Float>(&self, h: &[T], time: f64, condition: &[T], rows: &mut Rows<T>) {
        let n = h.len() / self.reach;
        let start = rows.xhat.len();
        rows.xhat.resize(start + h.len(), T::ZERO);
        let first = rows.rstd.len();
        rows.rstd.resize(first + n, T::ZERO);
        let ones = vec![T::ONE; self.reach];
        let zeros = vec![T::ZERO; self.reach];
        let out = sized(&mut rows.scratch, h.len());
        layer_norm(h, &ones, &zeros, &mut rows.xhat[start..], &mut rows.rstd[first..], out);
        let mut times = [T::ZERO; TIMES];
        for (k, pair) in times.chunks_exact_mut(2).enumerate() {
            let angle = f64::from(1 << k) * std::f64::consts::PI * time;
            pair.copy_from_slice(&[T::of(libm::sin(angle)), T::of(libm::cos(angle))]);
        }
        rows.x.reserve(n * self.len());
        for (h, condition) in rows.xhat[start..]
            .chunks_exact(self.reach)
            .zip(condition.chunks_exact(self.condition_len).cycle())
        {
            rows.x.extend_from_slice(h);
            rows.x.extend_from_slice(&times);
            rows.x.extend_from_slice(condition);
        }
    }

    /// Carries a signal at the rows back to the states.
    pub(crate) fn down<T: Float>(&self, signal: &[T], rows: &mut Rows<T>, at_h: &mut Vec<T>) {
        let Rows { xhat, rstd, scratch, .. } = rows;
        let at_norm = sized(scratch, xhat.len());
        for (to, from) in at_norm.chunks_exact_mut(self.reach).zip(signal.chunks_exact(self.len())) {
            to.copy_from_slice(&from[..self.reach]);
        }
        let at_h = sized(at_h, xhat.len());
        layer_norm_input_grad(at_norm, xhat, rstd, &vec![T::ONE; self.reach], at_h);
    }

    /// The directional derivative of the rows when their states move along `direction`. The Jacobian of a LayerNorm without
    /// weights is symmetric.
    pub(crate) fn along<T: Float>(&self, direction: &[T], rows: &mut Rows<T>, moved: &mut Vec<T>) {
        let at_norm = sized(&mut rows.scratch, direction.len());
        layer_norm_input_grad(direction, &rows.xhat, &rows.rstd, &vec![T::ONE; self.reach], at_norm);
        let moved = sized(moved, rows.x.len());
        for (row, at_norm) in moved.chunks_exact_mut(self.len()).zip(at_norm.chunks_exact(self.reach)) {
            row[..self.reach].copy_from_slice(at_norm);
            row[self.reach..].fill(T::ZERO);
        }
    }
}

/// The values of each sample's state that receive feedback.
pub(crate) fn reached<T: Float>(h: &[T], state: State) -> Cow<'_, [T]> {
    state.reached_part(h)
}

/// Writes credit to the positions that receive feedback.
pub(crate) fn give<T: Float>(credit: &[T], state: State, into: &mut [T]) {
    for (row, a) in into.chunks_exact_mut(state.width()).zip(credit.chunks_exact(state.reached_features())) {
        row[..state.reached_features()].copy_from_slice(a);
    }
}
