//! Named arrays from any source.

use super::budget::Budget;
use super::element::Element;
use super::shape::TensorShape;
use crate::dump::DumpFault;
use std::io::{Read, Seek};

/// The bytes of a file, on disk or in memory.
pub(crate) trait Bytes: Read + Seek {}

impl<T: Read + Seek> Bytes for T {}

/// A source of named tensors.
pub(crate) trait Archive {
    /// The names, safe to print.
    fn names(&self) -> &[String];

    /// Reads a tensor by the index of its name.
    fn tensor(&mut self, index: usize, budget: &mut Budget) -> Result<DumpTensor, DumpFault>;
}

/// A tensor with its values in row-major order.
#[derive(Clone, Debug)]
pub(crate) struct DumpTensor {
    pub(crate) name: String,
    pub(crate) element: Element,
    pub(crate) shape: TensorShape,
    pub(crate) values: Vec<f64>,
}

/// An untrusted name, made safe to print.
pub(crate) fn printable(name: &str) -> String {
    let end = name.char_indices().nth(1000).map_or(name.len(), |(end, _)| end);
    record::escape::visible(&name[..end]).into_owned()
}
