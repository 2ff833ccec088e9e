//! Credit bridge: a net learns the future loss as a function of each hidden state. Credit is the gradient of that function.
//!
//! The value at a state learns from the value at the next state, and at the last state from the loss itself. The credit is
//! useful because at the last state the net's *gradient* is matched to the true one as well.

mod learning;
mod matching;
mod noise;
mod spec;
mod value;

pub(crate) use spec::definition;
