//! Measurements of credit. What they permit to be said is decided in crate `protocol`.
//!
//! [`measure`](fn@measure) takes everything of one network and its rule on one set of samples; the measurements that it is
//! made of are there one by one for other uses. Everything adds up in f64, whatever it was computed in. A number comes
//! with its standing; a check that cannot be made says why.

mod checkpoint;
pub mod consistency;
pub mod dump;
mod measure;
mod null;

pub use checkpoint::{Measurements, Samples, measure};
pub use measure::{
    Correlation, CosineMean, DIRECTION_BATCH, DIRECTION_BATCHES, Directions, Downstream, NetworkDownstream,
    NudgeMean, Step, choose_step, direction_stability, drift, growth, loss_changes, median, norms, nudge,
    probe, reached, rho, unit_directions,
};
pub use null::band;
