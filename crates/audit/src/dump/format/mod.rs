//! From bytes to named arrays: `.npz` and `.safetensors` files, read without trust; and arrays that are in memory already.

mod archive;
mod budget;
mod element;
mod literal;
mod magic;
mod memory;
mod npy;
mod npz;
mod safetensors;
mod shape;
mod zip;

pub(super) use archive::{Archive, Bytes, Tensor, printable};
pub(super) use budget::{Budget, usual_limit};
pub(super) use magic::open;
pub(super) use memory::Memory;
pub use memory::{Array, Values};
pub(super) use shape::Shape;
