//! Named arrays from untrusted `.npz` and `.safetensors` files, or from memory.

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

pub(super) use archive::{Archive, Bytes, DumpTensor, printable};
pub(super) use budget::{Budget, limit_of_file, usual_limit};
pub(super) use magic::open;
pub(super) use memory::Memory;
pub use memory::{Array, Values};
pub(super) use shape::TensorShape;
