//! `penalty-rescue`: what a penalty on the blocks' output does to states, credit and accuracy.

mod accuracy;
mod alignment;
mod deep;
mod draw;
mod sweep;
mod trajectory;

pub(super) use draw::{draw, penalties};
pub(super) use sweep::Sweep;
pub(super) use trajectory::LAYER;
