//! The training loop: the same for every rule, network and data set. It emits events and knows no listener.

mod batch;
mod evaluate;
mod event;
mod evidence;
mod schedule;
mod session;

pub(crate) use evaluate::rows;
pub use event::{Event, Interrupt, Listener, Position};
pub(crate) use evidence::{feedback_hash, first_samples};
pub use schedule::Schedule;
pub(crate) use session::halts_on;
pub use session::train;

/// Version of the arithmetic: raised whenever the same recipe, data and processor give other bytes than before.
pub const NUMERICS: u32 = 1;
