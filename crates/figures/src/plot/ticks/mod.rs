//! Ticks and their labels.

mod fitting;
mod powers;

pub(super) use fitting::{Tick, Ticks};
