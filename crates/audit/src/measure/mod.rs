//! All measurements of one network and its rule, in one pass over the samples.

mod credit_sums;
mod layer_sums;
mod mean_credit;
mod null_draws;
mod perturbation;
mod reach;
mod sample_norms;
mod signals;
mod streams;
mod walk;

pub(crate) use credit_sums::{CreditSums, Reference, StateChunk};
pub(crate) use perturbation::{Perturbation, directions};
pub(crate) use streams::{SAMPLES, TURNS};
pub use walk::{Measurements, Samples, Training, measure};
