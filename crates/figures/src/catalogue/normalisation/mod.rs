//! `normalisation`: how much of the growth is the rule, and how much the division of its credit by its root mean square.

mod answer;
mod cells;
mod draw;

pub(super) use draw::draw;
