//! Arrays in memory.

use crate::Fault;
use crate::archive::{Archive, Tensor, printable};
use crate::budget::Budget;
use crate::element::{Element, NumberKind};
use crate::shape::{TensorShape, words};

/// A named array in memory, in row-major order.
///
/// ```
/// use arrays::{Array, Values};
/// let states = Array { name: "h.0", shape: &[2, 3], values: Values::F32(&[0.0; 6]) };
/// let labels = Array { name: "labels", shape: &[2], values: Values::I64(&[4, 1]) };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    /// Its name in the layout.
    pub name: &'a str,
    /// Lengths of its dimensions.
    pub shape: &'a [usize],
    /// As many values as the shape has elements.
    pub values: Values<'a>,
}

/// Values of one type. Half precision is given as bits, and reported as half precision.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// Double precision.
    F64(&'a [f64]),
    /// Single precision.
    F32(&'a [f32]),
    /// The bits of IEEE 754 half precision.
    F16(&'a [u16]),
    /// The bits of bfloat16.
    BF16(&'a [u16]),
    /// Integers, for labels.
    I64(&'a [i64]),
}

impl Values<'_> {
    fn len(self) -> usize {
        match self {
            Self::F64(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::F16(bits) | Self::BF16(bits) => bits.len(),
            Self::I64(values) => values.len(),
        }
    }

    fn element(self) -> Element {
        let (kind, bytes) = match self {
            Self::F64(_) => (NumberKind::Float, 8),
            Self::F32(_) => (NumberKind::Float, 4),
            Self::F16(_) => (NumberKind::Float, 2),
            Self::BF16(_) => (NumberKind::Brain, 2),
            Self::I64(_) => (NumberKind::Signed, 8),
        };
        Element { kind, bytes, big_endian: false }
    }

    fn write(self, to: &mut Vec<f64>) {
        let element = self.element();
        match self {
            Self::F64(values) => to.extend_from_slice(values),
            Self::F32(values) => to.extend(values.iter().map(|&x| f64::from(x))),
            Self::F16(bits) | Self::BF16(bits) => {
                to.extend(bits.iter().map(|bits| element.value(&bits.to_le_bytes())));
            }
            Self::I64(values) => to.extend(values.iter().map(|&x| x as f64)),
        }
    }
}

/// Arrays as an archive.
pub struct Memory<'a> {
    names: Vec<String>,
    arrays: &'a [Array<'a>],
}

impl<'a> Memory<'a> {
    /// An archive of these.
    pub fn new(arrays: &'a [Array<'a>]) -> Self {
        Self { names: arrays.iter().map(|array| printable(array.name)).collect(), arrays }
    }
}

impl Archive for Memory<'_> {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn tensor(&mut self, index: usize, budget: &mut Budget) -> Result<Tensor, Fault> {
        let name = &self.names[index];
        let Array { shape, values, .. } = self.arrays[index];
        let element = values.element();
        let count = shape.iter().try_fold(1, |product: usize, &length| product.checked_mul(length));
        let fits = count == Some(values.len());
        let Some(shape) = TensorShape::new(name, shape.to_vec(), element.bytes).ok().filter(|_| fits) else {
            return Err(Fault::tensor(
                name,
                format!("its shape is {}, and it has {} values", words(shape), values.len()),
                "give one value for each element of the shape, in row-major order",
            ));
        };
        let mut all = budget.room(name, values.len())?;
        values.write(&mut all);
        Ok(Tensor { name: name.clone(), element, shape, values: all })
    }
}
