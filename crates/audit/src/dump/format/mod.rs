//! From bytes to named arrays: `.npz` and `.safetensors` files, read without trust.

mod archive;
mod budget;
mod element;
mod literal;
mod magic;
mod npy;
mod npz;
mod safetensors;
mod shape;
mod zip;

pub(super) use archive::{Archive, Tensor};
pub(super) use budget::{Budget, usual_limit};
pub(super) use magic::open;
pub(super) use shape::Shape;
