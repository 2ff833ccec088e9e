//! Where an axis is marked, and what stands there.

mod fitting;
mod powers;

pub(super) use fitting::{Tick, Ticks};
