//! Measurements of credit, and what they permit to be said.
//!
//! Everything here works on plain slices of signals, sample after sample, and adds up in f64, whatever they were
//! computed in. A cosine comes with its standing; a check that cannot be made says why.

pub mod consistency;
mod cosine;
mod norms;
mod protocol;

pub use cosine::CosineMean;
pub use norms::{growth, median, norms};
pub use protocol::{Check, Thresholds};
