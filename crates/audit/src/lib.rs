//! Measurements of credit. Crate `protocol` decides what follows from them.
//!
//! [`measure`](fn@measure) takes all measurements of one network and its rule on one set of samples; each is also
//! available by itself. All sums are in f64. A number comes with its reliability; a check that cannot be made states why.

pub mod consistency;
pub mod dump;
mod live;
mod measure;
pub mod measurements;

pub use live::{LiveFacts, judge_live};
pub use measure::{
    EpochSums, LiveMeasurement, LiveSignals, Measurements, Samples, Training, measure, orders,
};
pub use measurements::{CosineMean, drift, median, norms, probe};
