//! The part of a hidden state that measurements read.

use std::borrow::Cow;

/// The first `reach` values of each row of `width`: the part of a state that feedback reaches and measurements read, such as
/// the class token of a transformer. Borrowed if that is all.
///
/// ```
/// assert_eq!(audit::measurements::reached(&[1, 2, 3, 4, 5, 6], 3, 2)[..], [1, 2, 4, 5]);
/// assert_eq!(audit::measurements::reached(&[1, 2, 3, 4], 2, 2)[..], [1, 2, 3, 4]);
/// ```
pub fn reached<T: Copy>(rows: &[T], width: usize, reach: usize) -> Cow<'_, [T]> {
    nn::State { positions: width, features: 1, reached: reach }.reached_part(rows)
}
