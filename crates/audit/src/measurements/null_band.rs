//! Nulls: what chance gives, as the band from the smallest to the largest of the draws.
//!
//! A value that is itself such a draw falls inside the band of 20 others with probability 19/21: of 21 exchangeable values
//! it is the smallest or the largest with probability 2/21.

use record::audit::{Null, NullKind, Place, Quantity};

/// The band of the draws and the position of the value; none if a draw or the value is not finite, or nothing was drawn.
///
/// ```
/// use record::audit::{NullKind, Place, Quantity};
/// let null = audit::measurements::band(NullKind::FreshFeedback, Quantity::Cosine, 1280, 0.4, &[0.01, -0.02, 0.0]).unwrap();
/// assert_eq!((null.low, null.high, null.place), (-0.02, 0.01, Place::Above));
/// ```
pub fn band(kind: NullKind, of: Quantity, samples: usize, value: f64, draws: &[f64]) -> Option<Null> {
    if draws.is_empty() || !value.is_finite() || draws.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let low = draws.iter().copied().fold(f64::INFINITY, f64::min);
    let high = draws.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let place = if value < low {
        Place::Below
    } else if value > high {
        Place::Above
    } else {
        Place::Inside
    };
    Some(Null { kind, of, draws: draws.len() as u64, samples: samples as u64, value, low, high, place })
}
