//! The losses of a batch, sample by sample, and the gradient e of each at the network's output.

use crate::Float;
use crate::simd::{sum, vectorised};

vectorised! {
    /// Softmax cross-entropy of each row: `e` becomes softmax − onehot, `losses` the loss of each sample.
    pub fn softmax_cross_entropy<T: Float>(logits: &[T], labels: &[u8], e: &mut [T], losses: &mut [T]) {
        if labels.is_empty() {
            return;
        }
        let classes = logits.len() / labels.len();
        let rows = logits.chunks_exact(classes).zip(e.chunks_exact_mut(classes)).zip(labels).zip(losses);
        for (((z, e), &label), loss) in rows {
            let label = usize::from(label);
            let top = z.iter().fold(z[0], |top, &x| top.max(x));
            for (e, &z) in e.iter_mut().zip(z) {
                *e = (z - top).exp();
            }
            // The label's share minus 1, as minus the sum of the others: no digits are lost when the share is near 1.
            let hit = e[label];
            e[label] = T::ZERO;
            let others = sum([&*e], |[x]| x);
            let total = hit + others;
            let inverse = T::ONE / total;
            for value in e.iter_mut() {
                *value *= inverse;
            }
            e[label] = T::ZERO - others * inverse;
            *loss = total.ln() + (top - z[label]);
        }
    }
}

/// Half the squared norm of each row of `cols` outputs, whose gradient is the row itself.
pub fn half_square<T: Float>(outputs: &[T], cols: usize, e: &mut [T], losses: &mut [T]) {
    e.copy_from_slice(outputs);
    for (loss, z) in losses.iter_mut().zip(outputs.chunks_exact(cols)) {
        *loss = T::of(0.5) * z.iter().fold(T::ZERO, |sum, &z| sum + z * z);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A broken network must show in its loss, never as a merely large number.
    #[test]
    fn a_loss_of_broken_logits_is_not_finite() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for index in 0..3 {
                let mut logits = [0.5f32, -1.0, 2.0];
                logits[index] = bad;
                let mut losses = [0.0];
                softmax_cross_entropy(&logits, &[1], &mut [0.0; 3], &mut losses);
                let harmless = bad == f32::NEG_INFINITY && index != 1;
                assert_eq!(losses[0].is_finite(), harmless, "{bad} at {index}: {losses:?}");
            }
        }
    }

    /// e_T is the derivative of each sample's loss by its logits.
    #[test]
    fn the_error_is_the_slope_of_the_loss() {
        let logits = [0.3f64, -1.2, 2.0, 0.0, 5.0, -4.0, 0.1, 0.2];
        let labels = [2, 1];
        let loss = |z: &[f64], n: usize| {
            let mut e = [0.0; 8];
            let mut losses = [0.0; 2];
            softmax_cross_entropy(z, &labels, &mut e, &mut losses);
            (losses[n], e)
        };
        let (_, e) = loss(&logits, 0);
        for i in 0..8 {
            let moved = |by: f64| {
                let mut z = logits;
                z[i] += by;
                loss(&z, i / 4).0
            };
            let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((e[i] - difference).abs() < 1e-9, "logit {i}: {} and {difference}", e[i]);
        }
    }

    /// The error of a sample sums to 0 over the classes, even where the label's share rounds to 1.
    #[test]
    fn the_error_of_a_solved_sample_keeps_its_direction() {
        for gap in [1.0f32, 10.0, 20.0, 60.0, 80.0] {
            let mut e = [0.0; 3];
            softmax_cross_entropy(&[gap, 0.0, -1.0], &[0], &mut e, &mut [0.0]);
            assert!(e[0] < 0.0 && ((e[0] + e[1] + e[2]) / e[0]).abs() < 1e-6, "{gap}: {e:?}");
        }
    }

    #[test]
    fn softmax_cross_entropy_by_hand() {
        // Logits ln 1, ln 2, ln 5 have probabilities 1/8, 2/8, 5/8.
        let logits = [0.0f64, 2f64.ln(), 5f64.ln()];
        let mut e = [0.0; 3];
        let mut losses = [0.0];
        softmax_cross_entropy(&logits, &[1], &mut e, &mut losses);
        for (got, want) in e.iter().zip([0.125, -0.75, 0.625]) {
            assert!((got - want).abs() < 1e-15);
        }
        assert!((losses[0] - 4f64.ln()).abs() < 1e-15);
    }
}
