//! The events of one run.

use super::hparams;
use crate::clock::{Clock, seconds};
use crate::event::{Events, Target, Value};
use crate::named::training;
use crate::point::charted;
use record::{Epoch, Run, RunRecord, Status};
use std::path::Path;

/// The event file of a run. A run of another training must not continue it.
pub(super) fn target(folder: &Path, record: &RunRecord) -> Target {
    Target::new(folder, &format!("run {}", training(record)))
}

/// All events of a run, as far as it is.
pub(super) fn events(target: &Target, run: &Run, group: &str) -> Events {
    let mut clock = Clock::of(&run.record);
    let mut events = start(target, run, group);
    run.epochs.iter().for_each(|epoch| add(&mut events, &mut clock, epoch));
    finish(&mut events, &clock, &run.record);
    events
}

/// The start of the file.
pub(super) fn start(target: &Target, run: &Run, group: &str) -> Events {
    let wall = Clock::of(&run.record).now();
    let mut events = target.events(wall);
    events.add(wall, 0, [hparams::session_start(&run.recipe, group, wall)]);
    events
}

/// An epoch.
pub(super) fn add(events: &mut Events, clock: &mut Clock, epoch: &Epoch) {
    let wall = clock.advance(epoch);
    events.add(wall, epoch.epoch, charted(epoch).iter().map(|(tag, value)| Value::scalar(tag, *value)));
}

/// How the run ended, if it did.
pub(super) fn finish(events: &mut Events, clock: &Clock, record: &RunRecord) {
    let succeeded = match record.status {
        Status::Running | Status::Interrupted => return,
        Status::Finished | Status::Halted { .. } => true,
        Status::Stopped { .. } => false,
    };
    let ended = record.provenance.ended.as_deref().and_then(seconds).unwrap_or(0.0).max(clock.now());
    events.add(ended, 0, [hparams::session_end(succeeded, ended)]);
}

/// When the last epoch of a run ended.
pub(super) fn end(run: &Run) -> f64 {
    let mut clock = Clock::of(&run.record);
    run.epochs.iter().for_each(|epoch| {
        clock.advance(epoch);
    });
    clock.now()
}
