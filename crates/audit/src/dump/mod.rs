//! Tensors of a run that some other program made, read from an `.npz` or `.safetensors` file.
//!
//! The layout is documented for its users in `docs/foreign-runs.md`. A dump comes from strangers: nothing in it is
//! executed, nothing it claims about its size is believed before it is checked, and whatever cannot be used is
//! refused with a message that names the file, the tensor and the remedy.

mod assemble;
mod budget;
mod contents;
mod element;
mod error;
mod format;
mod head;
mod labels;
mod literal;
mod name;
mod npy;
mod npz;
mod read;
mod rows;
mod safetensors;
mod shape;
mod suggest;
mod tensors;
mod zip;

pub use contents::{Credit, Dump, Gradients, Head, Ignored, LastNorm, Loss, Rows};
pub use error::{Error, Fault};
pub use read::{read, read_within};
