//! The training loop: the same for every rule, network and data set. It emits events and knows no listener.

mod batch;
mod evaluate;
mod event;
mod evidence;
mod session;

pub(crate) use evaluate::rows;
pub use event::{Event, Interrupt, Listener, Outcome, Position};
pub(crate) use evidence::{feedback_hash, first_samples};
pub use session::train;
