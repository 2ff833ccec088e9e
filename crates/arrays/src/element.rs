//! Converts the numbers of files to those of the program.

use crate::Fault;
use crate::budget::Budget;
use crate::shape::{TensorShape, fortran_indices};
use std::io::Read;

/// What the bits of a number mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// 0 or 1.
    Bool,
    /// A whole number from 0 up.
    Unsigned,
    /// A whole number.
    Signed,
    /// IEEE 754 of 2, 4 or 8 bytes.
    Float,
    /// The upper half of an f32.
    Brain,
    /// The code of a character.
    Text,
}

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// What its bits mean.
    pub kind: NumberKind,
    /// Bytes, 1 to 8.
    pub bytes: usize,
    /// Whether the highest byte comes first.
    pub big_endian: bool,
}

impl Element {
    /// Whether it is a number of half precision.
    pub fn is_half(self) -> bool {
        self.bytes == 2 && matches!(self.kind, NumberKind::Float | NumberKind::Brain)
    }

    /// Whether it is a number of double precision.
    pub fn is_double(self) -> bool {
        self.bytes == 8 && self.kind == NumberKind::Float
    }

    /// Whether it is a letter.
    pub fn is_text(self) -> bool {
        self.kind == NumberKind::Text
    }

    /// Whether it is a whole number.
    pub fn is_integer(self) -> bool {
        matches!(self.kind, NumberKind::Unsigned | NumberKind::Signed)
    }

    /// The number in these bytes. Integers beyond 2^53 are rounded.
    pub(crate) fn value(self, raw: &[u8]) -> f64 {
        let mut bytes = [0; 8];
        bytes[..raw.len()].copy_from_slice(raw);
        if self.big_endian {
            bytes[..raw.len()].reverse();
        }
        let bits = u64::from_le_bytes(bytes);
        let spare = 64 - 8 * raw.len() as u32;
        match (self.kind, self.bytes) {
            (NumberKind::Float, 2) => half(bits as u16),
            (NumberKind::Float, 4) => f32::from_bits(bits as u32).into(),
            (NumberKind::Float, _) => f64::from_bits(bits),
            (NumberKind::Brain, _) => f32::from_bits((bits as u32) << 16).into(),
            (NumberKind::Signed, _) => (((bits << spare) as i64) >> spare) as f64,
            (NumberKind::Unsigned | NumberKind::Bool | NumberKind::Text, _) => bits as f64,
        }
    }
}

/// An f16, which has 5 bits of exponent and 10 of fraction.
fn half(bits: u16) -> f64 {
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f64::from(bits & 0x3ff);
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// A number of the program, made from one of a file.
pub trait Number: Copy + Default {
    /// The nearest one.
    fn nearest(x: f64) -> Self;
}

impl Number for f64 {
    fn nearest(x: f64) -> Self {
        x
    }
}

impl Number for f32 {
    fn nearest(x: f64) -> Self {
        x as f32
    }
}

impl Number for u8 {
    fn nearest(x: f64) -> Self {
        x as u8
    }
}

/// Reads all values of a tensor into row-major order.
pub(crate) fn read_values<N: Number>(
    from: &mut impl Read,
    tensor: &str,
    element: Element,
    shape: &TensorShape,
    fortran: bool,
    budget: &mut Budget,
) -> Result<Vec<N>, Fault> {
    let count = shape.count();
    let mut values = budget.room(tensor, count)?;
    let mut buffer = [0; 8 << 12];
    let mut indices = fortran.then(|| fortran_indices(shape));
    if fortran {
        values.resize(count, N::default());
    }
    let mut left = count;
    while left > 0 {
        let now = left.min(buffer.len() / element.bytes);
        let raw = &mut buffer[..now * element.bytes];
        from.read_exact(raw).map_err(|e| Fault::while_reading(tensor, e))?;
        let numbers = raw.chunks_exact(element.bytes).map(|raw| N::nearest(element.value(raw)));
        match &mut indices {
            None => values.extend(numbers),
            Some(indices) => indices.by_ref().zip(numbers).for_each(|(index, x)| values[index] = x),
        }
        left -= now;
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: NumberKind, raw: &[u8]) -> f64 {
        let value = Element { kind, bytes: raw.len(), big_endian: false }.value(raw);
        let turned: Vec<u8> = raw.iter().rev().copied().collect();
        let other = Element { kind, bytes: raw.len(), big_endian: true }.value(&turned);
        assert_eq!(value.to_bits(), other.to_bits());
        value
    }

    #[test]
    fn halves_are_what_the_standard_says() {
        let half = |bits: u16| of(NumberKind::Float, &bits.to_le_bytes());
        assert_eq!(half(0x3c00), 1.0);
        assert_eq!(half(0xc000), -2.0);
        assert_eq!(half(0x7bff), 65504.0);
        assert_eq!(half(0x0001), 2f64.powi(-24));
        assert_eq!(half(0x0400), 2f64.powi(-14));
        assert_eq!(half(0x3555), 0.333251953125);
        assert_eq!(half(0xfc00), f64::NEG_INFINITY);
        assert!(half(0x7e00).is_nan());
        assert_eq!(half(0x8000).to_bits(), (-0.0f64).to_bits());
        assert_eq!(of(NumberKind::Brain, &0x3f80u16.to_le_bytes()), 1.0);
        assert_eq!(of(NumberKind::Brain, &0xc040u16.to_le_bytes()), -3.0);
    }

    #[test]
    fn integers_keep_their_sign_and_floats_their_bits() {
        assert_eq!(of(NumberKind::Signed, &[0xff]), -1.0);
        assert_eq!(of(NumberKind::Unsigned, &[0xff]), 255.0);
        assert_eq!(of(NumberKind::Signed, &(-70_000i32).to_le_bytes()), -70_000.0);
        assert_eq!(of(NumberKind::Signed, &(-5i64).to_le_bytes()), -5.0);
        assert_eq!(of(NumberKind::Unsigned, &u64::MAX.to_le_bytes()), 2f64.powi(64));
        assert_eq!(of(NumberKind::Float, &1e-45f32.to_le_bytes()), f64::from(1e-45f32));
        assert_eq!(of(NumberKind::Float, &1e-310f64.to_le_bytes()), 1e-310);
    }
}
