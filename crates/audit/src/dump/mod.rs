//! Tensors of a run that some other program made, read from an `.npz` or `.safetensors` file.
//!
//! The layout is documented for its users in `docs/foreign-runs.md`. A dump comes from strangers: nothing in it is
//! executed, nothing it claims about its size is believed before it is checked, and whatever cannot be used is
//! refused with a message that names the file, the tensor and the remedy.

mod assemble;
mod broken;
mod budget;
mod contents;
mod downstream;
mod element;
mod epochs;
mod error;
mod evidence;
mod format;
mod head;
mod judge;
mod labels;
mod literal;
mod missing;
mod name;
mod npy;
mod npz;
mod options;
mod output;
mod overview;
mod read;
mod reference;
mod rows;
mod safetensors;
mod scale;
mod shape;
mod suggest;
mod tensors;
mod units;
mod zip;

pub use contents::{Credit, Dump, Gradients, Head, Ignored, LastNorm, Loss, Rows};
pub use downstream::HeadDownstream;
pub use error::{Error, Fault};
pub use judge::judge;
pub use options::DumpOptions;
pub use read::{read, read_within};
