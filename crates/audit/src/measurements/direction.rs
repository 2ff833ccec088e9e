//! Direction stability: whether gradients of different batches all point the same way.
//!
//! A gradient that is the same for every batch no longer depends on the data; the check is advisory.

use super::CosineMean;

/// Samples per batch.
pub const DIRECTION_BATCH: usize = 128;
/// Fewest batches.
pub const DIRECTION_BATCHES: usize = 8;

/// Mean pairwise cosine of the batch-mean gradients at one layer, over disjoint batches of `batch` samples; `p` has one row
/// of `width` per sample. None with fewer than `least` batches, or if a batch has no direction.
///
/// ```
/// // Four batches of one sample: two point right, two point up.
/// let p = [1.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 1.0];
/// let stability = audit::measurements::direction_stability(&p, 2, 1, 4).unwrap();
/// assert!((stability - 2.0 / 6.0).abs() < 1e-12); // 2 of 6 pairs agree
/// assert_eq!(audit::measurements::direction_stability(&p, 2, 1, 5), None);
/// ```
pub fn direction_stability(p: &[f64], width: usize, batch: usize, least: usize) -> Option<f64> {
    let mean = |rows: &[f64]| -> Vec<f64> {
        let mut sum = vec![0.0; width];
        for row in rows.chunks_exact(width) {
            sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        sum
    };
    let means: Vec<Vec<f64>> = p.chunks_exact(batch * width).map(mean).collect();
    let has_direction = |mean: &Vec<f64>| {
        let norm = mean.iter().map(|x| x * x).sum::<f64>().sqrt();
        norm.is_finite() && norm >= f64::from(f32::MIN_POSITIVE)
    };
    if means.len() < least.max(2) || !means.iter().all(has_direction) {
        return None;
    }
    let mut cosines = CosineMean::default();
    for (i, a) in means.iter().enumerate() {
        for b in &means[..i] {
            cosines.add(a, b, width);
        }
    }
    cosines.mean()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tensor::random::{Purpose, Stream};

    #[test]
    fn independent_batches_are_unstable_and_a_common_drift_is_not() {
        let mut stream = Stream::new(5, Purpose::Teacher);
        let width = 64;
        let batch = 128;
        let mut draw = |shift: f64| -> Vec<f64> {
            (0..8 * batch * width)
                .map(|i| stream.normal() + if i % width == 0 { shift } else { 0.0 })
                .collect()
        };
        let free = direction_stability(&draw(0.0), width, batch, 8).expect("eight batches");
        // 28 pairs of random directions in 64 dimensions: sd of the mean about 1/√(64·28).
        assert!(free.abs() < 0.1, "{free}");
        let drifting = direction_stability(&draw(3.0), width, batch, 8).expect("eight batches");
        // The common part has 9·128², compared with 64·128 of noise, in each batch's squared sum.
        let expected = 9.0 * 128.0 / (9.0 * 128.0 + 64.0);
        assert!((drifting - expected).abs() < 0.03, "{drifting} and {expected}");
    }

    #[test]
    fn a_dead_batch_has_no_direction() {
        assert_eq!(direction_stability(&[0.0; 16], 2, 1, 8), None);
        for dead in 0..8 {
            let mut p = [1.0; 16];
            p[2 * dead..2 * dead + 2].fill(0.0);
            assert_eq!(direction_stability(&p, 2, 1, 8), None, "batch {dead}");
        }
    }
}
