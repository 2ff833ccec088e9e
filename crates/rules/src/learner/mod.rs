//! One training step, the same for every rule.
//!
//! First, each thread runs one chunk of the samples forward and computes its credit. Then gradients are computed over all
//! samples, one range of parameters at a time, and the optimiser updates each weight as soon as its gradient is known. In both
//! halves no sum depends on which thread computes it, so the result does not depend on the number of threads.

mod chunk;
mod descent;
mod step;

pub use chunk::Chunk;
pub use step::Learner;
