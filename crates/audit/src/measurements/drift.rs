//! Drift: how far parameters have moved from their start.

use tensor::Float;

/// ‖end − start‖ / ‖start‖; none if the start is zero.
///
/// ```
/// assert_eq!(audit::drift(&[3.0f32, 4.0], &[3.0, 9.0]), Some(1.0));
/// assert_eq!(audit::drift(&[0.0f32], &[1.0]), None);
/// ```
pub fn drift<T: Float>(start: &[T], end: &[T]) -> Option<f64> {
    let norm = |it: &mut dyn Iterator<Item = f64>| it.map(|x| x * x).sum::<f64>().sqrt();
    let size = norm(&mut start.iter().map(|x| x.to_f64()));
    let moved = norm(&mut start.iter().zip(end).map(|(a, b)| b.to_f64() - a.to_f64()));
    (size > 0.0).then(|| moved / size)
}
