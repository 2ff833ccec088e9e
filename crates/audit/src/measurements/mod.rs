//! Measurements, one per file. Each works on plain slices of samples and sums in f64.

mod carried;
mod cosine;
mod direction;
mod directions;
mod downstream;
mod drift;
mod feedback_angle;
mod mean_credit;
mod moves;
mod norms;
mod nudge;
mod null_band;
mod participation;
mod probe;
mod reached_part;
mod rho;
mod step;

pub(crate) use carried::{CarriedDownstream, Held, largest};
pub use cosine::CosineMean;
pub use direction::{DIRECTION_BATCH, DIRECTION_BATCHES, direction_stability};
pub(crate) use directions::predictions;
pub use directions::{Directions, loss_changes, unit_directions};
pub use downstream::{Downstream, NetworkDownstream};
pub use drift::drift;
pub use feedback_angle::feedback_angles;
pub use mean_credit::{DRAWS as REDRAWS, RedrawnCredit, expected_cosine, mean_credit};
pub use moves::{Changes, Move, Moves};
pub use norms::{median, norms};
pub use nudge::{NudgeMean, Unmoved, nudge};
pub use null_band::band;
pub use participation::Participation;
pub use probe::probe;
pub use reached_part::reached;
pub(crate) use rho::finish_rho;
pub use rho::{Correlation, rho};
pub use step::{Step, choose_step};
