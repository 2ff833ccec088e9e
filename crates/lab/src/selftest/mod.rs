//! Faults planted on purpose, to see whether an audit notices.
//!
//! Small networks are trained whose credit, feedback or steps are broken in one place; their directories say nothing of it.
//! Healthy ones are trained beside them. The audit does not know which is which.

mod cases;
mod fault;
mod rule;

pub use cases::{Case, cases, train_cases};
pub use fault::{Expected, Planted};
