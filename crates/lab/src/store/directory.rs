//! The writer of a run directory, one listener of the training loop.
//!
//! `recipe.toml` is written first, then `run.json`; `metrics.jsonl` grows by one line per epoch. A resumed run takes the log over
//! as far as its checkpoint goes, as a new file. One writer, no locks: who finds that the log at its path is no longer the one
//! it opened stops.

use super::{Checkpoint, Found, Restored};
use crate::clock::{machine, now};
use crate::{Error, Event, Listener, NUMERICS, Position, RunSpec};
use nn::{Architecture, Net};
use record::durable::{self, Holder, Log};
use record::{NetworkFacts, Provenance, Run, RunRecord, Status};
use rules::Learner;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The directory that a run is written to.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    record: RunRecord,
    log: Log,
    saved: Instant,
    every: Duration,
}

/// A run directory that is ready for writing.
pub(crate) struct Opened {
    pub(crate) directory: RunDirectory,
    /// Where the run continues.
    pub(crate) position: Position,
    /// Version of the arithmetic that computed its state, if it differs from this program's.
    pub(crate) other_numerics: Option<u32>,
}

impl RunDirectory {
    /// Opens the directory and restores the learner from the last checkpoint. `every` is the minimum time between checkpoints.
    /// The directory's recipe is replaced by the requested one.
    pub(crate) fn open(
        path: &Path,
        spec: &RunSpec,
        data_hash: &str,
        threads: usize,
        every: Duration,
        found: Found,
        learner: &mut Learner<f32, Net>,
    ) -> Result<Opened, Error> {
        durable::create_folder(path)?;
        let recipe = || durable::write(&path.join(Run::RECIPE), spec.recipe.as_bytes());
        let mut record = fresh_record(spec, data_hash, threads, learner);
        let mut checkpoint = None;
        let mut other_numerics = None;
        if let Found::Unfinished(before) = found {
            checkpoint = restore(path, &before, spec, learner)?;
            let before = before.provenance;
            record.provenance.started = before.started;
            record.provenance.resumed = before.resumed.saturating_add(1);
            if checkpoint.is_some() {
                let mut numerics = before.numerics;
                other_numerics = numerics.last().copied().filter(|&last| last != NUMERICS);
                numerics.extend(other_numerics.map(|_| NUMERICS));
                record.provenance.numerics = numerics;
            }
            // The record first: it states the identity, which still matches when the recipe's other keys change.
            record.write(path)?;
            recipe()?;
        } else {
            recipe()?;
            record.write(path)?;
        }
        let position = checkpoint.as_ref().map(Checkpoint::position).unwrap_or_default();
        // A line for the start and one per epoch. Lines, not bytes: the log may be that of another writer of the same run, whose
        // times are of other lengths.
        let lines = checkpoint.map_or(0, |_| position.epoch.saturating_add(1));
        let log = Log::open(&path.join(Run::METRICS), lines)?;
        let directory = Self { path: path.to_owned(), record, log, saved: Instant::now(), every };
        Ok(Opened { directory, position, other_numerics })
    }

    /// Before everything that is written: another process may have taken the run over, or somebody removed its log.
    fn check_ours(&self) -> Result<(), Error> {
        match self.log.holder()? {
            Holder::Us => Ok(()),
            Holder::Another => Err(Error::OtherWriter { path: self.path.clone() }),
            Holder::Nobody => Err(Error::LogGone { path: self.path.join(Run::METRICS) }),
        }
    }

    fn save(
        &mut self,
        learner: &Learner<f32, Net>,
        credit: &[Vec<f32>],
        position: &Position,
    ) -> Result<(), Error> {
        self.check_ours()?;
        // The log lines must be on disk before the checkpoint that counts them.
        self.log.sync()?;
        let head = Checkpoint::new(&self.record.provenance, position, self.log.length());
        head.write(&self.path, learner, credit)?;
        self.saved = Instant::now();
        Ok(())
    }
}

/// Restores the learner from the checkpoint and returns its position. A run saved before its first step starts over and is
/// measured again.
fn restore(
    path: &Path,
    record: &RunRecord,
    spec: &RunSpec,
    learner: &mut Learner<f32, Net>,
) -> Result<Option<Checkpoint>, Error> {
    let found = Checkpoint::read(path, &record.provenance, learner)?;
    let Some(Restored { checkpoint, credit }) = found else { return Ok(None) };
    // A checkpoint without identity matches only by the hash of all keys, so it would be lost when a measurement key changes.
    if checkpoint.identity.is_none() {
        checkpoint.clone().identified(spec.identity.hash()).write(path, learner, &credit)?;
    }
    Ok(Some(checkpoint).filter(|checkpoint| checkpoint.position() != Position::default()))
}

impl Listener for RunDirectory {
    fn on(&mut self, _spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::Started(_) | Event::Stepped(_) | Event::NumericsChanged { .. } => Ok(()),
            Event::Measured(epoch) => {
                self.check_ours()?;
                Ok(self.log.append(&serde_json::to_string(epoch).expect("an epoch is plain data"))?)
            }
            Event::AtRest { position, learner, credit, must } => {
                if *must || self.saved.elapsed() >= self.every {
                    self.save(learner, &credit(), position)?;
                }
                Ok(())
            }
            Event::Ended { status, drift, .. } => {
                self.check_ours()?;
                // A run that diverged has lines that no checkpoint counts; its record speaks of them as well.
                self.log.sync()?;
                self.record.provenance.ended = Some(now());
                self.record.status = (*status).clone();
                self.record.drift = drift.cloned();
                Ok(self.record.write(&self.path)?)
            }
        }
    }
}

fn fresh_record(spec: &RunSpec, data_hash: &str, threads: usize, learner: &Learner<f32, Net>) -> RunRecord {
    let shape = learner.net.shape();
    RunRecord {
        schema: RunRecord::SCHEMA.to_owned(),
        id: spec.id.clone(),
        rule: spec.rule.name.clone(),
        status: Status::Running,
        network: NetworkFacts {
            name: spec.net_name.clone(),
            inputs: shape.inputs,
            width: shape.width,
            blocks: shape.blocks,
            classes: shape.classes,
            parameters: learner.params.len(),
        },
        provenance: Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            recipe_hash: spec.recipe_hash.clone(),
            identity: Some(spec.identity.hash().to_owned()),
            numerics: vec![NUMERICS],
            data: spec.source.name().to_owned(),
            data_hash: data_hash.to_owned(),
            seed: spec.seed,
            machine: machine(),
            threads,
            started: now(),
            ended: None,
            resumed: 0,
            elsewhere: None,
        },
        drift: None,
    }
}
