//! Faults planted on purpose, to test whether an audit finds them.
//!
//! Small networks are trained with one fault in their credit, feedback or updates; their directories do not reveal it. Healthy
//! networks are trained among them. The audit does not know which is which.

mod cases;
mod fault;
mod rule;

pub use cases::{Case, cases, train_cases};
pub use fault::{Expected, Planted};
