//! What state bridge and credit bridge share: a small perceptron that reads a hidden state, the time and a condition, and the
//! optimiser that trains it beside the network.

mod inputs;
mod own;
mod perceptron;

pub(crate) use inputs::{Inputs, Rows, give, reached};
pub(crate) use own::Own;
pub(crate) use perceptron::{Kept, Perceptron, Sides, sized};

/// What the bridge net is told beside the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// e_T, one value a class.
    Error,
    /// p_L / RMS(p_L), as long as the state.
    Gradient,
}

/// Choices of both bridges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BridgeSpec {
    /// What the net is told beside the state and the time.
    pub condition: Condition,
    /// Width of its two hidden layers.
    pub width: usize,
    /// Learning rate of its AdamW, constant over the run.
    pub lr: f64,
    /// Credit bridge: the share of the schedule during which DFA gives the credit while the bridge learns.
    pub warm_up: f64,
    /// Credit bridge: noisy copies of the next state, K.
    pub copies: usize,
    /// Credit bridge: their standard deviation, in units of the state's root mean square.
    pub noise: f64,
    /// Credit bridge: temperature of the soft minimum over them.
    pub temperature: f64,
    /// Credit bridge: share of the old value that the slow copy keeps at each step.
    pub ema: f64,
    /// Credit bridge: weight of matching the gradient at h_L.
    pub matching: f64,
}

impl Default for BridgeSpec {
    fn default() -> Self {
        Self {
            condition: Condition::Error,
            width: 256,
            lr: 1e-3,
            warm_up: 0.2,
            copies: 8,
            noise: 0.1,
            temperature: 0.1,
            ema: 0.995,
            matching: 1.0,
        }
    }
}
