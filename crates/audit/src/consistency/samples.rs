//! Whether one credit is another with its samples in a different order.

use super::matrix::distance;

/// ‖recorded − expected‖ after each recorded sample was matched with the nearest one that is still free.
///
/// Samples are told apart by their credit alone. Two that have the same are interchangeable, and then it does not
/// matter which is taken.
pub(super) fn misfit(recorded: &[f64], expected: &[f64], width: usize) -> f64 {
    let mut free: Vec<&[f64]> = expected.chunks_exact(width).collect();
    let mut rows: Vec<&[f64]> = recorded.chunks_exact(width).collect();
    // Large ones choose first: they have the most to lose, and the small ones are near each other anyway.
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

fn size(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum()
}

#[cfg(test)]
mod tests {
    use super::misfit;

    #[test]
    fn order_does_not_matter_and_number_does() {
        let expected = [1.0, 2.0, 3.0, 4.0, 1.0, 2.0];
        assert_eq!(misfit(&[3.0, 4.0, 1.0, 2.0, 1.0, 2.0], &expected, 2), 0.0);
        // The second sample twice and the first once is no permutation.
        assert!(misfit(&[3.0, 4.0, 3.0, 4.0, 1.0, 2.0], &expected, 2) > 1.0);
    }
}
