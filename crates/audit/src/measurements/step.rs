//! How long the steps of ρ have to be.

use super::{Directions, Downstream, loss_changes, median, norms, reached};
use record::Why;

/// Error of the loss changes, as a share of them, that is not worth a longer step.
const FINE: f64 = 1e-3;
/// Error from which on there is no ρ.
const TOO_MUCH: f64 = 1e-2;
/// The longest step, as a share of the typical norm of what is moved.
const LONGEST: f64 = 1e-2;

/// The length of the steps, and what rounding leaves of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// ε.
    pub length: f64,
    /// Whether it is more than was asked for.
    pub enlarged: bool,
    /// Estimated error of the loss changes, as a share of them; NaN where the loss does not change, infinite where it is not
    /// finite.
    pub rounding: f64,
}

impl Step {
    /// Why ρ is undefined with it, if it is.
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

/// The shortest step, from the one asked for upwards in factors of 10, at which rounding does not matter.
///
/// The error is measured, not guessed: changes of the loss are odd in the step, so those of a step longer by an eighth are
/// larger by an eighth. What is left over is rounding, and at long steps curvature.
pub fn choose_step<Label: Copy>(
    rest: &mut dyn Downstream<Label>,
    layer: usize,
    h: &[f64],
    labels: &[Label],
    directions: Directions<'_>,
    asked: f64,
) -> Step {
    const LONGER: f64 = 1.125;
    let moved = reached(h, h.len() / labels.len(), directions.reach);
    let longest = LONGEST * median(norms(&moved, directions.reach).collect());
    let rms = |values: &[f64]| (values.iter().map(|x| x * x).sum::<f64>() / values.len() as f64).sqrt();
    let mut error = |length: f64| {
        let near = loss_changes(rest, layer, h, labels, directions, length);
        let far = loss_changes(rest, layer, h, labels, directions, LONGER * length);
        if near.iter().chain(&far).any(|change| !change.is_finite()) {
            return f64::INFINITY;
        }
        let left: Vec<f64> = near.iter().zip(&far).map(|(near, far)| far - LONGER * near).collect();
        // The remainder holds the errors of both, of which one counts.
        let size = rms(&near);
        if size > 0.0 { rms(&left) / (1.0 + LONGER * LONGER).sqrt() / size } else { f64::NAN }
    };
    let mut best = Step { length: asked, enlarged: false, rounding: error(asked) };
    let mut length = 10.0 * asked;
    // NaN, where a short step does not move the loss at all, is the worst of all errors.
    while (best.rounding > FINE || best.rounding.is_nan()) && length <= longest && longest.is_finite() {
        let rounding = error(length);
        if rounding < best.rounding || best.rounding.is_nan() {
            best = Step { length, enlarged: true, rounding };
        }
        length *= 10.0;
    }
    best
}
