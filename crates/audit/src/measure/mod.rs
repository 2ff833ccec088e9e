//! Measurements, one a file. Each works on plain slices of samples and adds up in f64.

mod cosine;
mod direction;
mod downstream;
mod drift;
mod norms;
mod nudge;
mod probe;
mod rho;

pub use cosine::CosineMean;
pub use direction::{DIRECTION_BATCH, DIRECTION_BATCHES, direction_stability};
pub use downstream::{Downstream, NetworkDownstream};
pub use drift::drift;
pub use norms::{growth, median, norms};
pub use nudge::{NudgeMean, nudge};
pub use probe::probe;
pub(crate) use rho::finish_rho;
pub use rho::{Correlation, Step, choose_step, loss_changes, rho, unit_directions};
