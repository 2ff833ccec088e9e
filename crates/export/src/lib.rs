//! Runs for the tools that people have: tidy tables, event files of TensorBoard, MLflow, LaTeX.
//!
//! The crate sees records and asks the protocol. Every tool gets the same numbers under the same names ([`point`]); what is
//! undefined is never sent as a number.

mod clock;
pub mod event;
mod latex;
pub mod mlflow;
mod named;
pub mod point;
pub mod tensorboard;
mod tidy;

pub use latex::{Part, latex};
pub use named::{Named, named};
pub use tidy::Tidy;
