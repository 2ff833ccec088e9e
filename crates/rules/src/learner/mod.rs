//! One training step, the same for every rule.
//!
//! First every sample runs forward and gets its credit, chunk by chunk, one chunk per thread. Then the gradients are taken
//! over all samples, range by range of the parameters, and the optimiser moves each weight as its gradient comes. In
//! neither half does a sum depend on who computes it, so the number of threads leaves no trace.

mod chunk;
mod descent;
mod step;

pub use chunk::Chunk;
pub use step::Learner;
