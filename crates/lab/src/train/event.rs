//! Events of the training loop.

use crate::{Error, RunSpec};
use nn::Net;
use record::{Epoch, Status};
use rules::{Learner, Tally};
use std::collections::BTreeMap;

/// The position of a run between two steps: everything that a checkpoint needs besides the tensors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// Epochs completed.
    pub epoch: u64,
    /// Steps taken in the current epoch.
    pub step: u64,
    /// Total number of steps, which is AdamW's t.
    pub t: u64,
    /// Loss and hits of the current epoch.
    pub tally: Tally,
    /// Seconds of training in the current epoch, over all sessions.
    pub seconds: f64,
}

/// An event in a run.
pub enum Event<'a> {
    /// The run continues from a state that another version of the arithmetic computed.
    NumericsChanged {
        /// That version.
        from: u32,
        /// The version of this program.
        to: u32,
    },
    /// Training starts or continues from here.
    Started(&'a Position),
    /// A step was taken.
    Stepped(&'a Position),
    /// An epoch, or the measurement before the first, is complete.
    Measured(&'a Epoch),
    /// The run is between two steps and can be saved. `must` is set if it will not continue.
    AtRest {
        /// Its position.
        position: &'a Position,
        /// The tensors.
        learner: &'a Learner<f32, Net>,
        /// Computes the raw credit that training uses on the first test samples: embedding, block 0 and so on.
        credit: &'a dyn Fn() -> Vec<Vec<f32>>,
        /// Whether this is the last chance to save.
        must: bool,
    },
    /// Training has ended, finally or until it is resumed.
    Ended {
        /// Its position.
        position: &'a Position,
        /// How it ended.
        status: &'a Status,
        /// ‖W_end − W_start‖ / ‖W_start‖ of each parameter that does not start at zero, if the run finished.
        drift: Option<&'a BTreeMap<String, f64>>,
    },
}

/// A receiver of events. An error stops the run.
pub trait Listener: Send {
    /// Handles an event of the run `spec`.
    fn on(&mut self, spec: &RunSpec, event: &Event<'_>) -> Result<(), Error>;
}

/// Ignores all events.
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
