//! Credit bridge: a net learns the loss to come as a function of each hidden state, and credit is its gradient there.
//!
//! The value at a state follows that of the next state, and at the last one the loss itself; what makes the credit useful is
//! that there the net's *gradient* is matched to the true one as well.

mod learning;
mod matching;
mod noise;
mod spec;
mod value;

pub(crate) use spec::definition;
