//! What a foreign rule is asked, in f32 and without types of this crate's networks. Its errors are messages.

use crate::Value;

/// The sizes and weights of the network that a foreign rule trains.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignNet {
    /// Features of an input.
    pub inputs: usize,
    /// Number of classes.
    pub classes: usize,
    /// Features of h_0 … h_L that feedback reaches.
    pub states: Vec<usize>,
    /// The weights, under PyTorch's names.
    pub weights: Vec<ForeignTensor>,
}

/// A named tensor, row-major.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignTensor {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its values.
    pub values: Vec<f32>,
}

/// What a foreign rule sees of some samples, row by row. In training they are a whole batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// The step, counted from 1; 0 in a measurement.
    pub step: u64,
    /// Inputs.
    pub x: Vec<f32>,
    /// h_0 … h_L, as far as feedback reaches.
    pub h: Vec<Vec<f32>>,
    /// Logits.
    pub logits: Vec<f32>,
    /// e_T.
    pub e: Vec<f32>,
    /// p_L, as far as feedback reaches.
    pub p_last: Vec<f32>,
    /// The labels.
    pub labels: Vec<u8>,
}

/// A rule of another program, made for one network.
pub trait ForeignRule: Send + Sync {
    /// The credit that acts at h_0 … h_L, each as long as the state in [`Seen`].
    fn credit(&self, seen: Seen) -> Result<Vec<Vec<f32>>, String>;

    /// Whether [`ForeignRule::after_step`] does anything; it costs a copy of the weights.
    fn follows_steps(&self) -> bool;

    /// Called after each update of the network, with its weights.
    fn after_step(&mut self, step: u64, lr: f64, weights: Vec<ForeignTensor>) -> Result<(), String>;

    /// What a checkpoint keeps of it.
    fn state(&self) -> Result<Vec<ForeignTensor>, String>;

    /// Takes back what a checkpoint kept.
    fn restore(&mut self, state: Vec<ForeignTensor>) -> Result<(), String>;

    /// The same rule with all its random numbers drawn again; none if nothing in it is random.
    fn redrawn(&self, seed: u64) -> Result<Option<Box<dyn ForeignRule>>, String>;
}

/// Makes a foreign rule.
pub trait ForeignMaker: Send + Sync {
    /// The rule with these values of its parameters, for a network. Its random numbers come from the seed.
    fn make(
        &self,
        parameters: &[(&'static str, Value)],
        net: ForeignNet,
        seed: u64,
    ) -> Result<Box<dyn ForeignRule>, String>;
}
