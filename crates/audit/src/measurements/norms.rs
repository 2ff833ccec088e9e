//! Norms and their medians.

use tensor::Float;

/// Euclidean norm of each row of `width` features, summed in f64.
///
/// ```
/// assert_eq!(audit::norms(&[3.0f32, 4.0, 6.0, 8.0], 2).collect::<Vec<_>>(), [5.0, 10.0]);
/// ```
pub fn norms<T: Float>(rows: &[T], width: usize) -> impl Iterator<Item = f64> {
    rows.chunks_exact(width).map(|row| row.iter().map(|x| x.to_f64() * x.to_f64()).sum::<f64>().sqrt())
}

/// The median; of an even number of values, the mean of the middle two. NaN if any value is NaN, or if there are none.
///
/// ```
/// assert_eq!(audit::median(vec![4.0, 1.0, 3.0, 2.0]), 2.5);
/// assert!(audit::median(vec![1.0, f64::NAN]).is_nan());
/// ```
pub fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() || values.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { 0.5 * (values[middle - 1] + values[middle]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norms_are_taken_over_the_features_of_each_sample() {
        let rows = [3.0f32, 4.0, 0.0, 6.0, 0.0, 8.0];
        assert_eq!(norms(&rows, 3).collect::<Vec<_>>(), [5.0, 10.0]);
    }
}
