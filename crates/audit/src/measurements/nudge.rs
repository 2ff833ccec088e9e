//! Nudge: how the loss changes when each sample's state moves a little against its credit.

use super::{Downstream, Move, Moves};
use record::{Measured, Why};

/// States of one layer before they are moved, with their labels and losses.
#[derive(Clone, Copy, Debug)]
pub struct Unmoved<'a, Label> {
    /// Index of the layer.
    pub layer: usize,
    /// States, one row per sample.
    pub h: &'a [f64],
    /// Label of each sample.
    pub labels: &'a [Label],
    /// Loss of each sample.
    pub losses: &'a [f64],
}

/// Averages changes of the loss, chunk by chunk.
#[derive(Clone, Copy, Debug, Default)]
pub struct NudgeMean {
    change: f64,
    size: f64,
    samples: u64,
    still: u64,
    broken: bool,
}

impl NudgeMean {
    /// Asks for the moves of state i by −η·a_i/RMS(a_i), one per sample. If a row of credit is shorter than a state, the
    /// values that it does not reach stay.
    pub fn ask<'a>(&mut self, credit: &'a [f64], samples: usize, eta: f64, moves: &mut Moves<'a>) {
        let reach = credit.len() / samples;
        for (sample, along) in credit.chunks_exact(reach).enumerate() {
            let rms = (along.iter().map(|x| x * x).sum::<f64>() / reach as f64).sqrt();
            self.broken |= !rms.is_finite();
            // A sample without credit is not moved, so its loss does not change.
            let still = rms < f64::from(f32::MIN_POSITIVE);
            self.still += u64::from(still);
            moves.nudges.push(Move { sample, along, by: if still { 0.0 } else { -eta / rms } });
        }
    }

    /// Takes what the losses of these samples do.
    pub fn take(&mut self, changes: &[f64], losses: &[f64]) {
        self.change += changes.iter().sum::<f64>();
        self.size += losses.iter().map(|loss| loss.abs()).sum::<f64>();
        self.samples += changes.len() as u64;
    }

    /// The plain mean change, for null bands, where a change near 0 is a draw like any other.
    pub(crate) fn mean(&self) -> Option<f64> {
        let value = self.change / self.samples as f64;
        (!self.broken && value.is_finite()).then_some(value)
    }

    /// The mean change with its reliability; negative is good.
    pub fn finish(&self) -> Measured {
        let value = self.change / self.samples as f64;
        // Each loss has an error of a few units in the last place; a mean change of 100 times that is accurate to 1 %.
        let rounding = 4.0 * f64::EPSILON * (1.0 + self.size / self.samples as f64);
        if self.broken || !value.is_finite() {
            Measured::Undefined { why: Why::NotFinite }
        } else if self.still == self.samples {
            Measured::Undefined { why: Why::CreditVanished }
        } else if value.abs() < 100.0 * rounding {
            Measured::Undefined { why: Why::Rounding }
        } else {
            Measured::Defined { value }
        }
    }
}

/// Mean change of the loss when row i of `h` moves by −η·a_i/RMS(a_i).
///
/// ```
/// use audit::measurements::{Downstream, nudge};
/// /// The loss is the first coordinate.
/// struct Slope;
/// impl Downstream for Slope {
///     fn losses(&mut self, _: usize, states: &[f64], _: &[u8], losses: &mut [f64]) {
///         losses.iter_mut().zip(states.chunks_exact(2)).for_each(|(loss, h)| *loss = h[0]);
///     }
/// }
/// let change = nudge(&mut Slope, 0, &[5.0, 5.0], &[0], &[3.0, 0.0], 0.1).value().unwrap();
/// assert!((change + 0.1 * 2f64.sqrt()).abs() < 1e-12); // RMS of (3, 0) is 3/√2
/// ```
pub fn nudge<Label: Copy>(
    rest: &mut dyn Downstream<Label>,
    layer: usize,
    h: &[f64],
    labels: &[Label],
    credit: &[f64],
    eta: f64,
) -> Measured {
    let losses = rest.unmoved(layer, h, labels);
    let mut mean = NudgeMean::default();
    let mut moves = Moves::default();
    mean.ask(credit, labels.len(), eta, &mut moves);
    let changes = rest.changes(&Unmoved { layer, h, labels, losses: &losses }, &moves);
    mean.take(&changes.nudges, &losses);
    mean.finish()
}
