//! Named arrays from untrusted `.npz` and `.safetensors` files, or from memory. Nothing in a file is executed, and every size that it
//! claims is checked before memory is allocated.

mod archive;
mod budget;
mod element;
mod fault;
mod literal;
mod magic;
mod memory;
mod npy;
mod npz;
mod safetensors;
mod shape;
mod zip;

pub use archive::{Archive, Bytes, Tensor, printable};
pub use budget::{Budget, limit_of_file, usual_limit};
pub use element::{Element, Number, NumberKind};
pub use fault::Fault;
pub use magic::open;
pub use memory::{Array, Memory, Values};
pub use npz::Npz;
pub use shape::TensorShape;
