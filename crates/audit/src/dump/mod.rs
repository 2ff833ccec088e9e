//! Tensors of a run that some other program made, judged: from an `.npz` or `.safetensors` file, or from arrays in memory.
//!
//! Three rooms, each of which knows only the ones before it: `format` turns bytes into arrays, `layout` turns named arrays
//! into a checked [`Dump`], and `judge` turns dumps into an audit. The layout is documented for its users in
//! `docs/foreign-runs.md`. A dump comes from strangers: nothing in it is executed, nothing it claims about its size is
//! believed before it is checked, and whatever cannot be used is refused with a message that names the file, the tensor
//! and the remedy.

mod error;
mod format;
mod judge;
mod layout;
mod read;

pub use error::{Error, Fault};
pub use format::{Array, Values};
pub use judge::{DumpOptions, HeadDownstream, judge, judge_epochs, judge_files};
pub use layout::{Credit, Dump, Gradients, Head, Ignored, LastNorm, Loss, Origin, Rows};
pub use read::{read, read_within};
