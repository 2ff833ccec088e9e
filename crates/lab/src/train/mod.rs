//! The training loop: the same for every rule, network and data set. It emits events and does not know its listeners.

mod batch;
mod evaluate;
mod event;
mod interrupt;
mod learning_rate;
mod session;
mod witness;

pub(crate) use evaluate::rows;
pub use event::{Event, Listener, Position};
pub use interrupt::{Interrupt, RequestGuard};
pub use learning_rate::Schedule;
pub use session::train;
pub(crate) use session::{halts_on, intact};
pub(crate) use witness::{feedback_hash, first_samples};

/// Version of the arithmetic: increased whenever the same recipe, data and processor give different bytes.
pub const NUMERICS: u32 = 1;
