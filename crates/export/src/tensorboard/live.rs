//! A run that is under way, written epoch by epoch.

use super::{folder, run};
use crate::clock::Clock;
use crate::event::{Events, Target};
use record::{Epoch, Error, Run, RunRecord};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The event file of a run that is under way.
#[derive(Debug)]
pub struct Live {
    directory: PathBuf,
    target: Target,
    file: File,
    clock: Clock,
}

impl Live {
    /// Begins with what the run's directory holds: nothing but its start, or the epochs of earlier sittings. What the file has
    /// beyond these is cut off, since the run will measure it again.
    pub fn begin(directory: &Path, group: &str, out: &Path) -> Result<Self, Error> {
        let run = Run::read(directory)?;
        let target = run::target(&folder(out, &run.record.id), &run.record);
        let mut clock = Clock::of(&run.record);
        let mut events = run::start(&target, &run, group);
        run.epochs.iter().for_each(|epoch| run::add(&mut events, &mut clock, epoch));
        let file = target.begin(&events)?;
        Ok(Self { directory: directory.to_owned(), target, file, clock })
    }

    /// Adds an epoch.
    pub fn measured(&mut self, epoch: &Epoch) -> Result<(), Error> {
        let mut events = Events::default();
        run::add(&mut events, &mut self.clock, epoch);
        self.target.append(&mut self.file, events.bytes())
    }

    /// Adds how the run ended, as its record says.
    pub fn ended(&mut self) -> Result<(), Error> {
        let mut events = Events::default();
        run::finish(&mut events, &self.clock, &RunRecord::read(&self.directory)?);
        self.target.append(&mut self.file, events.bytes())
    }
}
