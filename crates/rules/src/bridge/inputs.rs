//! What a bridge net reads: LN(h), features of the time t = l/L, and the condition s, side by side.

use super::sized;
use crate::{BatchView, Condition};
use nn::{Network, State};
use std::borrow::Cow;
use tensor::{Float, layer_norm, layer_norm_input_grad};

/// Features of the time: sine and cosine of 2^k·πt for k = 0…3.
pub(crate) const TIMES: usize = 8;

/// Layout of the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs {
    /// Values of the state that are read.
    pub(crate) reach: usize,
    condition: Condition,
    /// Values of the condition.
    told: usize,
}

/// Rows for a bridge net, with what the way back to the states needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows<T> {
    pub(crate) x: Vec<T>,
    xhat: Vec<T>,
    rstd: Vec<T>,
    scratch: Vec<T>,
}

impl<T> Rows<T> {
    /// Room for others.
    pub(crate) fn clear(&mut self) {
        self.x.clear();
        self.xhat.clear();
        self.rstd.clear();
    }
}

impl Inputs {
    pub(crate) fn new<T: Float, N: Network<T>>(net: &N, condition: Condition) -> Self {
        let reach = net.state(net.shape().blocks).reached_features();
        let told = match condition {
            Condition::Error => net.shape().classes,
            Condition::Gradient => reach,
        };
        Self { reach, condition, told }
    }

    /// Values of a row.
    pub(crate) fn len(&self) -> usize {
        self.reach + TIMES + self.told
    }

    /// The condition of each sample.
    pub(crate) fn condition<T: Float, N: Network<T>>(&self, batch: &BatchView<'_, T, N>) -> Vec<T> {
        match self.condition {
            Condition::Error => batch.e.to_vec(),
            Condition::Gradient => {
                let mut p = reached(batch.p_last, batch.net.state(batch.net.shape().blocks)).into_owned();
                for row in p.chunks_exact_mut(self.reach) {
                    let squares: f64 = row.iter().map(|x| x.to_f64().powi(2)).sum();
                    // Of a gradient that is exactly 0 nothing is told.
                    let rms = (squares / self.reach as f64).sqrt();
                    if rms > 0.0 {
                        row.iter_mut().for_each(|x| *x = T::of(x.to_f64() / rms));
                    }
                }
                p
            }
        }
    }

    /// Appends a row for each state of `h` (as many values each as are read), all at the same time; sample i of the
    /// condition belongs to state i, and again from the start where there are more states than samples.
    pub(crate) fn push<T: Float>(&self, h: &[T], time: f64, told: &[T], rows: &mut Rows<T>) {
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
        for (h, told) in rows.xhat[start..].chunks_exact(self.reach).zip(told.chunks_exact(self.told).cycle())
        {
            rows.x.extend_from_slice(h);
            rows.x.extend_from_slice(&times);
            rows.x.extend_from_slice(told);
        }
    }

    /// From a signal at the rows to the signal at the states.
    pub(crate) fn down<T: Float>(&self, signal: &[T], rows: &mut Rows<T>, at_h: &mut Vec<T>) {
        let Rows { xhat, rstd, scratch, .. } = rows;
        let at_norm = sized(scratch, xhat.len());
        for (to, from) in at_norm.chunks_exact_mut(self.reach).zip(signal.chunks_exact(self.len())) {
            to.copy_from_slice(&from[..self.reach]);
        }
        let at_h = sized(at_h, xhat.len());
        layer_norm_input_grad(at_norm, xhat, rstd, &vec![T::ONE; self.reach], at_h);
    }

    /// What the rows do when their states move along `direction`. The Jacobian of a LayerNorm without weights is its own
    /// transpose.
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

/// The values of each sample's state that feedback reaches.
pub(crate) fn reached<T: Float>(h: &[T], state: State) -> Cow<'_, [T]> {
    state.reached_part(h)
}

/// Writes credit where it is reached.
pub(crate) fn give<T: Float>(credit: &[T], state: State, into: &mut [T]) {
    for (row, a) in into.chunks_exact_mut(state.width()).zip(credit.chunks_exact(state.reached_features())) {
        row[..state.reached_features()].copy_from_slice(a);
    }
}
