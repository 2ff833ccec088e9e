//! `nulls`: the credit of every unit compared with chance, one row per rule.

mod draw;
mod panel;
mod tally;

pub(super) use draw::draw;
