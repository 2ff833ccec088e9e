//! a_l = −(h_{l+1} − h_l − f_l(h_l))/β and a_embed = −(h_0 − embed(x))/β at the nudged state: it tends to p as β → 0.
//!
//! The displacement −(h_nudged − h_free)/β, which is sometimes reported in its place, adds up over depth and does not; it is kept
//! for comparison with published figures only.

use super::relaxation::{Relaxed, relax};
use crate::{Lesson, Rule, Seen};
use nn::{Network, Tape};
use tensor::Float;

/// Choices of equilibrium propagation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpSpec {
    /// Strength of the nudge, β.
    pub beta: f64,
    /// Whether β is meant in units of each sample's ‖h_L‖/‖p_L‖, so that the nudge moves a state by a share of its size. In f32
    /// a nudge of fixed strength drowns in rounding as soon as the states are large or the gradient small.
    pub relative: bool,
    /// Most steps of the nudged phase.
    pub steps: usize,
    /// It ends where the gradient of the energy is below this share of the nudge.
    pub tolerance: f64,
}

impl Default for EpSpec {
    fn default() -> Self {
        Self { beta: 0.01, relative: true, steps: 100, tolerance: 1e-3 }
    }
}

/// Equilibrium propagation. Nothing in it is random.
#[derive(Clone, Copy, Debug)]
pub struct Ep(EpSpec);

impl Ep {
    /// With these choices.
    pub fn new(spec: EpSpec) -> Self {
        Self(spec)
    }
}

/// −values/β, sample by sample.
fn per_nudge<T: Float>(mut values: Vec<T>, beta: &[T]) -> Vec<T> {
    let width = values.len() / beta.len();
    for (row, &beta) in values.chunks_exact_mut(width).zip(beta) {
        // A sample without gradient was not nudged and has not moved.
        let factor = if beta > T::ZERO { T::of(-1.0) / beta } else { T::ZERO };
        row.iter_mut().for_each(|x| *x *= factor);
    }
    values
}

impl<T: Float, N: Network<T>> Rule<T, N> for Ep {
    fn name(&self) -> &'static str {
        "ep"
    }

    fn everywhere(&self) -> bool {
        true
    }

    fn credit(&self, seen: &Seen<'_, T, N>, credit: &mut [Vec<T>], _lesson: Option<&mut Lesson<T>>) {
        let Relaxed { excess, beta, .. } = relax(seen, &self.0);
        for (credit, excess) in credit.iter_mut().zip(excess) {
            credit.copy_from_slice(&per_nudge(excess, &beta));
        }
    }

    fn credit_paper(&self, seen: &Seen<'_, T, N>) -> Option<Vec<Vec<T>>> {
        let Relaxed { h, beta, .. } = relax(seen, &self.0);
        let moved = |(l, h): (usize, Vec<T>)| {
            per_nudge(h.iter().zip(seen.tape.hidden(l)).map(|(&h, &free)| h - free).collect(), &beta)
        };
        Some(h.into_iter().enumerate().map(moved).collect())
    }

    fn redrawn(&self, _net: &N, _params: &[T], _seed: u64) -> Option<Box<dyn Rule<T, N>>> {
        None
    }

    fn notes(&self, seen: &Seen<'_, T, N>) -> Vec<(&'static str, f64)> {
        let (relaxed, n) = (relax(seen, &self.0), seen.labels.len() as f64);
        let at_rest = relaxed.at_rest.iter().filter(|&&rest| rest).count() as f64;
        let steps = relaxed.steps.iter().sum::<usize>() as f64;
        vec![("relaxation_steps", steps / n), ("relaxed_share", at_rest / n)]
    }
}
