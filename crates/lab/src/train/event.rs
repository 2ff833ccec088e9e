//! What the training loop announces.

use crate::{Error, RunSpec};
use nn::Net;
use record::{Epoch, Status};
use rules::{Learner, Tally};
use std::collections::BTreeMap;

/// The position of a run between two steps: all that a checkpoint needs besides the tensors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// Epochs completed.
    pub epoch: u64,
    /// Steps taken in the epoch under way.
    pub step: u64,
    /// Steps taken in all, which is AdamW's t.
    pub t: u64,
    /// Loss and hits of the epoch under way.
    pub tally: Tally,
    /// Seconds of training in the epoch under way, over all sittings.
    pub seconds: f64,
}

/// Something that happened in a run.
pub enum Event<'a> {
    /// The run goes on from a state that another version of the arithmetic computed.
    NumericsChanged {
        /// That version.
        from: u32,
        /// The version of this program.
        to: u32,
    },
    /// Training begins, or goes on, from here.
    Started(&'a Position),
    /// A step was taken.
    Stepped(&'a Position),
    /// An epoch, or the measurement before the first, is complete.
    Measured(&'a Epoch),
    /// The run is at rest and could be saved. `must` is set where it will not go on.
    AtRest {
        /// Its position.
        position: &'a Position,
        /// The tensors.
        learner: &'a Learner<f32, Net>,
        /// Computes the raw credit that training uses on the first test samples, of the embedding, block 0 and so on.
        credit: &'a dyn Fn() -> Vec<Vec<f32>>,
        /// Whether this is the last chance to save.
        must: bool,
    },
    /// Training is over, for now or for good.
    Ended {
        /// Its position.
        position: &'a Position,
        /// How it ended.
        status: &'a Status,
        /// ‖W_end − W_start‖ / ‖W_start‖ of each parameter that does not start at zero, where the run came to its end.
        drift: Option<&'a BTreeMap<String, f64>>,
    },
}

/// Somebody who wants to know. An error stops the run.
pub trait Listener: Send {
    /// Takes note of an event of the run `spec`.
    fn on(&mut self, spec: &RunSpec, event: &Event<'_>) -> Result<(), Error>;
}

/// Nobody.
impl Listener for () {
    fn on(&mut self, _spec: &RunSpec, _event: &Event<'_>) -> Result<(), Error> {
        Ok(())
    }
}

/// Any number of listeners, called in order.
impl Listener for Vec<Box<dyn Listener>> {
    fn on(&mut self, spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        self.iter_mut().try_for_each(|listener| listener.on(spec, event))
    }
}
