//! Arrays under names, wherever they come from.

use super::budget::Budget;
use super::element::Element;
use super::shape::Shape;
use crate::dump::Fault;
use std::io::{Read, Seek};

/// The bytes of a file, on disk or in memory.
pub(crate) trait Bytes: Read + Seek {}

impl<T: Read + Seek> Bytes for T {}

/// Something that holds tensors under names.
pub(crate) trait Archive {
    /// The names, fit to be printed.
    fn names(&self) -> &[String];

    /// Reads a tensor by the index of its name.
    fn tensor(&mut self, index: usize, budget: &mut Budget) -> Result<Tensor, Fault>;
}

/// A tensor with its values in row-major order.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) element: Element,
    pub(crate) shape: Shape,
    pub(crate) values: Vec<f64>,
}

/// A name from elsewhere, fit to be printed: it may be any bytes.
pub(crate) fn printable(name: &str) -> String {
    let clean = name.chars().take(1000).map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
    clean.collect()
}
