//! Differences of losses, in f64.

use super::Sides;

/// The unmoved outputs of a classifier, sample by sample.
#[derive(Clone, Debug)]
pub struct CrossEntropyAt {
    logits: Vec<f64>,
    /// Their softmax.
    shares: Vec<f64>,
    labels: Vec<u8>,
    losses: Vec<f64>,
}

/// Beyond this exponent the moved loss is computed by itself: it differs so much from the unmoved one that nothing cancels.
const FAR: f64 = 30.0;

impl CrossEntropyAt {
    /// At these logits.
    pub fn new(logits: &[f64], labels: &[u8]) -> Self {
        let classes = logits.len() / labels.len().max(1);
        let mut shares = logits.to_vec();
        let rows = shares.chunks_exact_mut(classes.max(1)).zip(labels);
        let losses = rows.map(|(row, &label)| {
            let own = row[usize::from(label)];
            let total = log_sum(row);
            row.iter_mut().for_each(|z| *z = libm::exp(*z - total));
            total - own
        });
        let losses = losses.collect();
        Self { logits: logits.to_vec(), shares, labels: labels.to_vec(), losses }
    }

    /// The loss of each sample.
    pub fn losses(&self) -> &[f64] {
        &self.losses
    }

    /// How the loss of a sample changes when its logits do: ln Σ pᵢ·e^(dᵢ − d_y) = ln(1 + Σ pᵢ·(e^(dᵢ − d_y) − 1)).
    pub fn change(&self, sample: usize, shift: &[f32], sides: Sides) -> f64 {
        halved(shift, sides, |shift| self.up(sample, shift))
    }

    fn up(&self, sample: usize, shift: &[f32]) -> f64 {
        let classes = shift.len();
        let shares = &self.shares[sample * classes..][..classes];
        let own = f64::from(shift[usize::from(self.labels[sample])]);
        let against = |d: &f32| f64::from(*d) - own;
        if shift.iter().map(against).any(|d| d > FAR) {
            let logits = &self.logits[sample * classes..][..classes];
            let moved: Vec<f64> = logits.iter().zip(shift).map(|(z, d)| z + f64::from(*d)).collect();
            return log_sum(&moved) - moved[usize::from(self.labels[sample])] - self.losses[sample];
        }
        libm::log1p(shares.iter().zip(shift).map(|(p, d)| p * libm::expm1(against(d))).sum())
    }
}

/// ln Σ e^z. NaN stays.
fn log_sum(z: &[f64]) -> f64 {
    let top = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    top + libm::log(z.iter().map(|z| libm::exp(z - top)).sum())
}

/// How half the squared norm of outputs changes: ⟨output, d⟩ + ½‖d‖².
pub fn half_square_shift(outputs: &[f64], shift: &[f32], sides: Sides) -> f64 {
    let one = |(z, &d): (&f64, &f32)| f64::from(d) * (z + 0.5 * f64::from(d));
    halved(shift, sides, |shift| outputs.iter().zip(shift).map(one).sum())
}

/// A difference, from the function that gives the one upwards.
fn halved(shift: &[f32], sides: Sides, up: impl Fn(&[f32]) -> f64) -> f64 {
    match sides {
        Sides::Up => up(shift),
        Sides::Both => 0.5 * (up(shift) - up(&shift.iter().map(|d| -d).collect::<Vec<f32>>())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Losses of 3 logits by hand: the label's share is 1/8, and e^d doubles or quarters others.
    #[test]
    fn changes_by_hand() {
        let at = CrossEntropyAt::new(&[0.0, 2f64.ln(), 5f64.ln()], &[0]);
        assert!((at.losses()[0] - 8f64.ln()).abs() < 1e-15);
        // Shares 1, 4 and 5 of 10.
        let doubled = at.change(0, &[0.0, 2f32.ln(), 0.0], Sides::Up);
        assert!((doubled - (10f64 / 8.0).ln()).abs() < 1e-7, "{doubled}");
        assert!((at.change(0, &[0.0, 0.0, 100.0], Sides::Up) - (100.0 + 5f64.ln() - 8f64.ln())).abs() < 1e-9);
        // A shift of all logits changes nothing, however large.
        assert_eq!(at.change(0, &[1e3, 1e3, 1e3], Sides::Up), 0.0);
        // Far below the spacing of floats around the loss: (2/8)·d.
        assert!((at.change(0, &[0.0, 1e-25, 0.0], Sides::Up) / 0.25e-25 - 1.0).abs() < 1e-6);
        assert!(at.change(0, &[0.0, f32::NAN, 0.0], Sides::Up).is_nan());
        assert!(
            (half_square_shift(&[3.0, 0.0], &[1.0, 2.0], Sides::Up) - (0.5 * (16.0 + 4.0) - 4.5)).abs()
                < 1e-12
        );
    }
}
