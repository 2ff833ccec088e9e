//! `penalty-rescue`: what a penalty on the blocks' output does to states, credit and accuracy.

mod accuracy;
mod alignment;
mod draw;
mod trajectory;

pub(super) use draw::{draw, penalties};
