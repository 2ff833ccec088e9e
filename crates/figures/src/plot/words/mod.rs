//! Words inside a panel, each placed where it covers neither data nor other words.

mod along;
mod bars;
mod near;
mod place;

pub(super) use place::{Words, place};
