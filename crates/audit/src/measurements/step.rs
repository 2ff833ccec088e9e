//! The step length of ρ.

use super::{Directions, Downstream, Unmoved, loss_changes, median, norms, reached};
use record::Why;

/// Relative error of the loss changes below which no longer step is tried.
const FINE: f64 = 1e-3;
/// Relative error above which ρ is undefined.
const TOO_MUCH: f64 = 1e-2;
/// The longest step, as a share of the typical norm of what is moved.
const LONGEST: f64 = 1e-2;

/// The length of the steps, and the error of the loss changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// ε.
    pub length: f64,
    /// Whether it is longer than asked for.
    pub enlarged: bool,
    /// Estimated relative error of the loss changes; NaN if the loss does not change, infinite if it is not finite.
    pub rounding: f64,
}

impl Step {
    /// Why ρ is undefined with this step, if it is.
    pub fn trouble(&self) -> Option<Why> {
        if self.rounding.is_nan() {
            Some(Why::LossUnmoved)
        } else if self.rounding.is_infinite() {
            Some(Why::NotFinite)
        } else {
            (self.rounding > TOO_MUCH).then_some(Why::Rounding)
        }
    }
}

/// The shortest step, from the one asked for upwards in factors of 10, at which rounding does not matter to whole passes.
///
/// The error is measured: changes of the loss are odd in the step, so a step longer by an eighth gives changes larger by an
/// eighth. The remainder is rounding and, for long steps, curvature.
pub fn choose_step<Label: Copy>(
    rest: &mut dyn Downstream<Label>,
    unmoved: &Unmoved<'_, Label>,
    directions: Directions<'_>,
    asked: f64,
) -> Step {
    const LONGER: f64 = 1.125;
    let &Unmoved { h, labels, .. } = unmoved;
    let moved = reached(h, h.len() / labels.len(), directions.reach);
    let longest = LONGEST * median(norms(&moved, directions.reach).collect());
    let rms = |values: &[f64]| (values.iter().map(|x| x * x).sum::<f64>() / values.len() as f64).sqrt();
    let mut error = |length: f64| {
        let near = loss_changes(rest, unmoved, directions, length);
        let far = loss_changes(rest, unmoved, directions, LONGER * length);
        if near.iter().chain(&far).any(|change| !change.is_finite()) {
            return f64::INFINITY;
        }
        let left: Vec<f64> = near.iter().zip(&far).map(|(near, far)| far - LONGER * near).collect();
        // The remainder contains the errors of both steps, of which one counts.
        let size = rms(&near);
        if size > 0.0 { rms(&left) / (1.0 + LONGER * LONGER).sqrt() / size } else { f64::NAN }
    };
    let mut best = Step { length: asked, enlarged: false, rounding: error(asked) };
    let mut length = 10.0 * asked;
    // NaN, where a short step does not change the loss at all, is the worst error.
    while (best.rounding > FINE || best.rounding.is_nan()) && length <= longest && longest.is_finite() {
        let rounding = error(length);
        if rounding < best.rounding || best.rounding.is_nan() {
            best = Step { length, enlarged: true, rounding };
        }
        length *= 10.0;
    }
    best
}
