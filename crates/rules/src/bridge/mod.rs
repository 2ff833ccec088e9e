//! What state bridge and credit bridge share: a small perceptron that reads a hidden state, the time and a condition, and the
//! optimiser that trains it alongside the network.

mod inputs;
mod own;
mod perceptron;
mod spec;

pub(crate) use inputs::{Inputs, Rows, give, reached};
pub(crate) use own::Own;
pub(crate) use perceptron::{Kept, Perceptron, Sides, sized};
pub(crate) use spec::{BridgeSpec, CONDITION, LR, WIDTH, condition, unfit, work};
