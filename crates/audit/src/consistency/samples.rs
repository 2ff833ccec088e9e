//! Whether one credit is another with its samples in a different order.

use super::matrix::distance;

/// ‖recorded − expected‖ after each recorded sample was matched with the nearest free one.
///
/// Samples are distinguished by their credit alone; two with the same credit are interchangeable. Matching is quadratic,
/// so it is skipped where the misfit is known to exceed `limit`: a lower bound above the limit is then returned.
pub(super) fn misfit(recorded: &[f64], expected: &[f64], width: usize, limit: f64) -> f64 {
    // No order changes the sum of the samples, and N differences that sum to s have a norm of at least ‖s‖/√N.
    let least = distance(&sum(recorded, width), &sum(expected, width))
        / (recorded.len() as f64 / width as f64).sqrt();
    if least > limit {
        return least;
    }
    let mut free: Vec<&[f64]> = expected.chunks_exact(width).collect();
    let mut rows: Vec<&[f64]> = recorded.chunks_exact(width).collect();
    // Large ones choose first: a wrong match costs them most, and small ones are close to each other anyway.
    rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let mut sum = 0.0;
    for row in rows {
        let near = free.iter().enumerate().map(|(i, other)| (i, distance(row, other)));
        let Some((i, apart)) = near.min_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        free.swap_remove(i);
        sum += apart * apart;
    }
    sum.sqrt()
}

fn sum(rows: &[f64], width: usize) -> Vec<f64> {
    let mut sum = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
    sum
}

fn size(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum()
}

#[cfg(test)]
mod tests {
    use super::misfit;

    #[test]
    fn order_does_not_matter_and_number_does() {
        let expected = [1.0, 2.0, 3.0, 4.0, 1.0, 2.0];
        assert_eq!(misfit(&[3.0, 4.0, 1.0, 2.0, 1.0, 2.0], &expected, 2, 0.0), 0.0);
        // The second sample twice and the first once is no permutation: one of them is √8 away.
        let other = [3.0, 4.0, 3.0, 4.0, 1.0, 2.0];
        assert_eq!(misfit(&other, &expected, 2, 9.0), 8f64.sqrt());
        let least = misfit(&other, &expected, 2, 0.1);
        assert!(least > 0.1 && least < 8f64.sqrt(), "what the sums say, without matching");
    }
}
