//! Audits tensors from another program: from an `.npz` or `.safetensors` file, or from arrays in memory.
//!
//! Two modules: `layout` turns named arrays into a checked [`Dump`], and `judge` turns dumps into an audit. `docs/foreign-runs.md` documents the layout. A
//! dump is untrusted: nothing in it is executed, every size it claims is checked first, and whatever cannot be used is
//! refused with a message that names the file, the tensor and the remedy.

mod error;
mod judge;
mod layout;
mod read;

pub use arrays::{Array, Values};
pub use error::{DumpFault, Error};
pub use judge::{DumpOptions, HeadDownstream, judge, judge_epochs, judge_files};
pub use layout::{
    About, Credit, Dump, DumpRows, Gradients, Head, Ignored, LastNorm, Loss, LossChanges, Origin, Pooling,
};
pub use read::{read, read_about, read_within};
