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

use crate::Float;

/// Which difference is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// f(x + δ) − f(x), in all orders.
    Up,
    /// (f(x + δ) − f(x − δ))/2, from that of the part before. What the two sides of that have in common is of second order in δ
    /// and is not carried: their difference misses a share of second order, no more.
    Both,
}

/// −d, value by value. Loops, since a closure need not be inlined, and would lose the machine's instructions.
#[inline(always)]
fn opposite<T: Float, const N: usize>(d: [T; N]) -> [T; N] {
    let mut out = d;
    for x in &mut out {
        *x = T::ZERO - *x;
    }
    out
}

/// (up − down)/2, value by value.
#[inline(always)]
fn halved<T: Float, const N: usize>(up: [T; N], down: [T; N]) -> [T; N] {
    let mut out = up;
    for i in 0..N {
        out[i] = T::of(0.5) * (up[i] - down[i]);
    }
    out
}
