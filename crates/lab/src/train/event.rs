//! What the training loop tells the world, and how the world may stop it.

use crate::{Error, RunSpec};
use nn::Net;
use record::Epoch;
use rules::{Learner, Tally};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where a run stands between two steps: all that a checkpoint needs besides the tensors.
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

/// How training ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Trained to the end.
    Finished {
        /// ‖W_end − W_start‖ / ‖W_start‖ of each parameter that does not start at zero.
        drift: BTreeMap<String, f64>,
    },
    /// Ended itself: a check fired that the recipe lists under `audit.stop_on`.
    Halted {
        /// The check.
        check: String,
        /// As of a finished run.
        drift: BTreeMap<String, f64>,
    },
    /// Asked to stop; the run can be resumed.
    Interrupted,
    /// The loss is infinite or NaN, and no further step can mend it.
    NonFinite {
        /// The words to record.
        reason: String,
        /// Step within the epoch under way that showed it, from 1; 0 where the measurement after an epoch did.
        step: u64,
    },
}

/// Something that happened in a run.
pub enum Event<'a> {
    /// Training begins, or goes on, from here.
    Started(&'a Position),
    /// A step was taken.
    Stepped(&'a Position),
    /// An epoch, or the measurement before the first, is complete.
    Measured(&'a Epoch),
    /// The run is at rest and could be saved. `must` is set where it will not go on.
    AtRest {
        /// Where it stands.
        position: &'a Position,
        /// The tensors.
        learner: &'a Learner<f32, Net>,
        /// The raw credit that training uses on the first test samples, of the embedding, block 0 and so on.
        credit: &'a [Vec<f32>],
        /// Whether this is the last chance to save.
        must: bool,
    },
    /// Training is over, for now or for good.
    Ended {
        /// Where it stands.
        position: &'a Position,
        /// How it ended.
        outcome: &'a Outcome,
    },
}

/// Somebody who wants to know. An error stops the run.
pub trait Listener: Send {
    /// Takes note of an event of the run `spec`.
    fn on(&mut self, spec: &RunSpec, event: &Event<'_>) -> Result<(), Error>;
}

/// A request to stop at the end of the step under way.
#[derive(Debug, Default)]
pub struct Interrupt(AtomicBool);

impl Interrupt {
    /// Nobody has asked yet.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Asks all runs to stop. True if somebody had asked before.
    pub fn request(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether somebody has asked.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
