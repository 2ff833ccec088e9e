//! Nudge: how the loss changes when each sample's state moves a little against its credit.

use super::Downstream;
use record::{Measured, Why};
use tensor::Float;

/// States of one layer before they are moved, with their labels and losses.
#[derive(Debug)]
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

/// A mean, and the credit and the η with which the states are moved for it.
pub(crate) struct Move<'a, A> {
    pub(crate) mean: &'a mut NudgeMean,
    pub(crate) credit: &'a [A],
    pub(crate) eta: f64,
}

/// Adds to every mean what its move of the same states does. As many moves as may be pass together: a pass can cost much
/// more than its rows.
pub(crate) fn nudge_all<Label: Copy, A: Float>(
    rest: &mut dyn Downstream<Label>,
    states: &Unmoved<'_, Label>,
    moves: &mut [Move<'_, A>],
) {
    let &Unmoved { layer, h, labels, losses } = states;
    let together = (rest.numbers() / h.len()).clamp(1, moves.len().max(1));
    let labels = labels.repeat(together);
    let mut moved = vec![0.0; together * h.len()];
    let mut after = vec![0.0; labels.len()];
    for moves in moves.chunks_mut(together) {
        let rows = moves.len() * losses.len();
        for (own, moved) in moves.iter_mut().zip(moved.chunks_exact_mut(h.len())) {
            moved.copy_from_slice(h);
            own.mean.shift(moved, own.credit, own.eta, losses.len());
        }
        rest.losses(layer, &moved[..moves.len() * h.len()], &labels[..rows], &mut after[..rows]);
        for (own, after) in moves.iter_mut().zip(after.chunks_exact(losses.len())) {
            own.mean.change(losses, after);
        }
    }
}

impl NudgeMean {
    /// Moves row i of the states by −η·a_i/RMS(a_i) and adds the change of its loss. If a row of credit is shorter than a
    /// state, the values that it does not reach stay. Forward passes in f64 only.
    pub fn add<Label: Copy, A: Float>(
        &mut self,
        rest: &mut dyn Downstream<Label>,
        states: &Unmoved<'_, Label>,
        credit: &[A],
        eta: f64,
    ) {
        nudge_all(rest, states, &mut [Move { mean: self, credit, eta }]);
    }

    /// Moves the states of so many samples against their credit.
    fn shift<A: Float>(&mut self, moved: &mut [f64], credit: &[A], eta: f64, samples: usize) {
        let width = moved.len() / samples;
        let reach = credit.len() / samples;
        for (row, a) in moved.chunks_exact_mut(width).zip(credit.chunks_exact(reach)) {
            let rms = (a.iter().map(|x| x.to_f64() * x.to_f64()).sum::<f64>() / reach as f64).sqrt();
            self.broken |= !rms.is_finite();
            // A sample without credit is not moved, so its loss does not change.
            if rms < f64::from(f32::MIN_POSITIVE) {
                self.still += 1;
            } else {
                row.iter_mut().zip(a).for_each(|(h, a)| *h -= eta * a.to_f64() / rms);
            }
        }
    }

    /// Adds the losses before and after the move.
    fn change(&mut self, losses: &[f64], after: &[f64]) {
        self.change += after.iter().zip(losses).map(|(after, before)| after - before).sum::<f64>();
        self.size += losses.iter().map(|loss| loss.abs()).sum::<f64>();
        self.samples += losses.len() as u64;
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
    let mut losses = vec![0.0; labels.len()];
    rest.losses(layer, h, labels, &mut losses);
    let mut mean = NudgeMean::default();
    mean.add(rest, &Unmoved { layer, h, labels, losses: &losses }, credit, eta);
    mean.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loss is the square of the state, with room for so many numbers at once.
    struct Square {
        room: usize,
        asked: Vec<usize>,
    }

    impl Downstream for Square {
        fn losses(&mut self, _: usize, states: &[f64], labels: &[u8], losses: &mut [f64]) {
            assert_eq!((states.len(), labels.len()), (2 * losses.len(), losses.len()));
            self.asked.push(states.len());
            let rows = states.chunks_exact(2).zip(labels);
            losses.iter_mut().zip(rows).for_each(|(loss, (h, &label))| {
                *loss = f64::from(label) + h.iter().map(|h| h * h).sum::<f64>();
            });
        }

        fn numbers(&self) -> usize {
            self.room
        }
    }

    #[test]
    fn moves_that_pass_together_have_the_means_that_they_have_alone() {
        let h = [1.0, 2.0, -3.0, 0.5, 0.0, 4.0];
        let labels = [7, 1, 2];
        let credits: [[f32; 6]; 5] =
            std::array::from_fn(|k| std::array::from_fn(|i| ((i + 3 * k) as f32).sin()));
        let mut rest = Square { room: 0, asked: Vec::new() };
        let mut losses = [0.0; 3];
        rest.losses(0, &h, &labels, &mut losses);
        let states = Unmoved { layer: 0, h: &h, labels: &labels, losses: &losses };
        let alone: Vec<Measured> = credits
            .iter()
            .map(|credit| {
                let mut mean = NudgeMean::default();
                mean.add(&mut rest, &states, credit, 0.1);
                mean.finish()
            })
            .collect();
        for (room, passes) in [(0, [6; 5].as_slice()), (6, &[6; 5]), (13, &[12, 12, 6]), (1000, &[30])] {
            let mut means = [NudgeMean::default(); 5];
            rest = Square { room, asked: Vec::new() };
            let moves = means.iter_mut().zip(&credits);
            let mut moves: Vec<_> = moves.map(|(mean, credit)| Move { mean, credit, eta: 0.1 }).collect();
            nudge_all(&mut rest, &states, &mut moves);
            assert_eq!(rest.asked, passes, "room for {room}");
            assert_eq!(means.map(|mean| mean.finish()).to_vec(), alone, "room for {room}");
        }
    }
}
