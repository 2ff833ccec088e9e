//! Named arrays from any source.

use crate::Fault;
use crate::budget::Budget;
use crate::element::Element;
use crate::shape::TensorShape;
use std::io::{Read, Seek};

/// The bytes of a file, on disk or in memory.
pub trait Bytes: Read + Seek {}

impl<T: Read + Seek> Bytes for T {}

/// A source of named tensors.
pub trait Archive {
    /// The names, safe to print.
    fn names(&self) -> &[String];

    /// Reads a tensor by the index of its name.
    fn tensor(&mut self, index: usize, budget: &mut Budget) -> Result<Tensor, Fault>;
}

/// A tensor with its values in row-major order.
#[derive(Clone, Debug)]
pub struct Tensor<N = f64> {
    /// Its name, safe to print.
    pub name: String,
    /// How its numbers were stored.
    pub element: Element,
    /// Its shape.
    pub shape: TensorShape,
    /// Its values.
    pub values: Vec<N>,
}

/// An untrusted name, made safe to print.
pub fn printable(name: &str) -> String {
    let end = name.char_indices().nth(1000).map_or(name.len(), |(end, _)| end);
    record::escape::visible(&name[..end]).into_owned()
}
