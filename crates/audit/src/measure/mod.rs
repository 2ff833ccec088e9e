//! All measurements of one network and its rule, in one pass over the samples.

mod chunks;
mod credit_sums;
mod epoch_sums;
mod layer_sums;
mod live;
mod mean_credit;
mod null_draws;
mod perturbation;
mod reach;
mod rotation;
mod sample_norms;
mod signals;
mod streams;
mod sums;
mod walk;

pub(crate) use credit_sums::{CreditSums, Reference, StateChunk};
pub use epoch_sums::EpochSums;
pub use live::{LiveMeasurement, LiveSignals, orders};
pub(crate) use perturbation::{Perturbation, directions, move_states};
pub(crate) use rotation::{fresh_feedback, rotation};
pub use sums::Measurements;
pub use walk::{Samples, Training, measure};
