//! The training loop: the same for every rule, network and data set. It emits events and knows no listener.

mod batch;
mod evaluate;
mod event;
mod session;
mod witness;

pub(crate) use evaluate::rows;
pub use event::{Event, Interrupt, Listener, Outcome, Position};
pub use session::train;
pub(crate) use witness::{feedback_hash, first_samples};
