//! a_l = −(h_{l+1} − h_l − f_l(h_l))/β and a_embed = −(h_0 − embed(x))/β at the nudged state: it tends to p as β → 0.
//!
//! The displacement −(h_nudged − h_free)/β, which is sometimes reported in its place, adds up over depth and does not; it is kept
//! for comparison with published figures only.

use super::relaxation::relax;
use crate::{Lesson, Rule, Seen};
use nn::{Network, Tape};
use tensor::Float;

/// Choices of equilibrium propagation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpSpec {
    /// Strength of the nudge, β. In f32 a smaller one drowns in rounding, a larger one bends the credit.
    pub beta: f64,
    /// Most steps of the nudged phase.
    pub steps: usize,
    /// It ends where the gradient of the energy is below this share of the nudge.
    pub tolerance: f64,
}

impl Default for EpSpec {
    fn default() -> Self {
        Self { beta: 0.1, steps: 50, tolerance: 1e-3 }
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

impl<T: Float, N: Network<T>> Rule<T, N> for Ep {
    fn name(&self) -> &'static str {
        "ep"
    }

    fn everywhere(&self) -> bool {
        true
    }

    fn credit(&self, seen: &Seen<'_, T, N>, credit: &mut [Vec<T>], _lesson: Option<&mut Lesson<T>>) {
        let factor = T::of(-1.0 / self.0.beta);
        for (credit, excess) in credit.iter_mut().zip(relax(seen, &self.0).excess) {
            credit.iter_mut().zip(excess).for_each(|(a, r)| *a = factor * r);
        }
    }

    fn credit_paper(&self, seen: &Seen<'_, T, N>) -> Option<Vec<Vec<T>>> {
        let factor = T::of(-1.0 / self.0.beta);
        let moved = |(l, h): (usize, &Vec<T>)| {
            h.iter().zip(seen.tape.hidden(l)).map(|(&h, &free)| factor * (h - free)).collect()
        };
        Some(relax(seen, &self.0).h.iter().enumerate().map(moved).collect())
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
