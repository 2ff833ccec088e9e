//! Differences between two forward passes, part by part: f(x + δ) − f(x) from x and δ, however small δ is.
//!
//! Subtracting two values of f loses the digits that they share. Here every part is written so that nothing cancels, and so
//! that all orders in δ are kept. A row of shifts belongs to an unmoved sample, its owner, whose values were computed once
//! in f64. Nothing here is shared with the slopes of the backward pass.

mod activation;
mod layer_norm;
mod loss;
mod rows;

pub use activation::{PhiAt, PhiShift, Shifted};
pub use layer_norm::layer_norm_shift;
pub use loss::{CrossEntropyAt, half_square_shift};
pub use rows::{relu_shift, softmax_shift};
