//! `nulls`: the credit of every unit against what chance gives in its place, one row per rule.

mod draw;
mod panel;
mod tally;

pub(super) use draw::draw;
