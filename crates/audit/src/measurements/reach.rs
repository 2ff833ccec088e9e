//! The part of a hidden state that measurements read.

use std::borrow::Cow;

/// The first `reach` values of each row of `width`: what feedback reaches and measurements read of a state, such as the class
/// token of a transformer. Rows that are reached as a whole stay as they are.
///
/// ```
/// assert_eq!(audit::measurements::reached(&[1, 2, 3, 4, 5, 6], 3, 2)[..], [1, 2, 4, 5]);
/// assert_eq!(audit::measurements::reached(&[1, 2, 3, 4], 2, 2)[..], [1, 2, 3, 4]);
/// ```
pub fn reached<T: Copy>(rows: &[T], width: usize, reach: usize) -> Cow<'_, [T]> {
    nn::State { positions: width, features: 1, reached: reach }.reached_part(rows)
}
