//! Text inside a panel, placed where it covers neither data nor other text.

mod along;
mod bars;
mod near;
mod place;
mod rows;

pub(super) use place::{Words, place};
