//! Number types.

mod double;
mod number;
mod single;

pub use number::Float;
