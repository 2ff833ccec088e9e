//! A run directory as its writer sees it: one listener of the training loop.
//!
//! `recipe.toml` is written first of all, then `run.json`; `metrics.jsonl` grows by a line an epoch; the checkpoint
//! records how long it was, so that a resumed run cuts off what came after. One writer, no locks.

use super::Checkpoint;
use crate::clock::{machine, now};
use crate::{Error, Event, Listener, Outcome, Position, RunSpec};
use nn::{Architecture, Net};
use record::{NetworkFacts, Provenance, Run, RunRecord, Status, atomic};
use rules::Learner;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where a run is written to.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    record: RunRecord,
    metrics: File,
    metrics_bytes: u64,
    saved: Instant,
    every: Duration,
}

/// What was found where a run is to go.
pub(crate) enum Found {
    /// Nothing, or a directory in which nothing was trained yet.
    Nothing,
    /// A run that can go on.
    Unfinished(Box<RunRecord>),
    /// A run that is over.
    Over(Status),
}

impl RunDirectory {
    /// Looks at what is there, and refuses what belongs to another recipe or to data that have changed since.
    pub(crate) fn look(path: &Path, spec: &RunSpec, data_hash: &str, resume: bool) -> Result<Found, Error> {
        let recipe = path.join(Run::RECIPE);
        let there = match std::fs::read_to_string(&recipe) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return nothing_or_remains(path, Run::RECIPE);
            }
            Err(source) => return Err(record::Error::io("read", &recipe, source).into()),
        };
        if there != spec.recipe {
            let difference = difference(&there, &spec.recipe);
            return Err(Error::OtherRecipe { path: path.to_owned(), difference });
        }
        if !resume {
            return Err(Error::Exists { path: path.to_owned() });
        }
        if !path.join(RunRecord::FILE).exists() {
            return nothing_or_remains(path, RunRecord::FILE);
        }
        let record = RunRecord::read(path)?;
        if record.provenance.data_hash != data_hash {
            let found = record.provenance.data_hash;
            return Err(Error::OtherData { path: path.to_owned(), found, now: data_hash.to_owned() });
        }
        Ok(match record.status {
            Status::Finished | Status::Halted { .. } | Status::Stopped { .. } => Found::Over(record.status),
            Status::Running | Status::Interrupted => Found::Unfinished(Box::new(record)),
        })
    }

    /// Opens the directory and brings the learner to where the last checkpoint left it. `every` is the least time
    /// between checkpoints.
    pub(crate) fn open(
        path: &Path,
        spec: &RunSpec,
        data_hash: &str,
        threads: usize,
        every: Duration,
        found: Found,
        learner: &mut Learner<f32, Net>,
    ) -> Result<(Self, Position), Error> {
        std::fs::create_dir_all(path).map_err(|source| record::Error::io("create", path, source))?;
        let mut record = fresh_record(spec, data_hash, threads, learner);
        let mut checkpoint = None;
        if let Found::Unfinished(before) = found {
            record.provenance.started = before.provenance.started;
            record.provenance.resumed = before.provenance.resumed + 1;
            atomic::clean(&path.join(Checkpoint::FILE));
            atomic::clean(&path.join(RunRecord::FILE));
            checkpoint = Checkpoint::read(path, learner)?.map(|restored| restored.checkpoint);
        } else {
            atomic::write(&path.join(Run::RECIPE), spec.recipe.as_bytes())?;
        }
        if let Some(Checkpoint { recipe_hash, .. }) = &checkpoint
            && *recipe_hash != spec.recipe_hash
        {
            let problem = "it belongs to another recipe".to_owned();
            return Err(Error::Checkpoint { path: path.join(Checkpoint::FILE), problem });
        }
        record.write(path)?;
        let position = checkpoint.as_ref().map(Checkpoint::position).unwrap_or_default();
        // A run saved before its first step starts over, and measures itself anew.
        let begun = position != Position::default();
        let metrics_bytes = checkpoint.filter(|_| begun).map_or(0, |c| c.metrics_bytes);
        let metrics = cut_back(&path.join(Run::METRICS), metrics_bytes)?;
        let directory =
            Self { path: path.to_owned(), record, metrics, metrics_bytes, saved: Instant::now(), every };
        Ok((directory, position))
    }

    fn append(&mut self, line: &str) -> Result<(), Error> {
        let path = self.path.join(Run::METRICS);
        let bytes = format!("{line}\n");
        let length =
            self.metrics.metadata().map_err(|source| record::Error::io("read", &path, source))?.len();
        if length != self.metrics_bytes {
            return Err(Error::OtherWriter { path: self.path.clone() });
        }
        self.metrics
            .write_all(bytes.as_bytes())
            .map_err(|source| record::Error::io("write", &path, source))?;
        self.metrics_bytes += bytes.len() as u64;
        Ok(())
    }

    fn save(
        &mut self,
        learner: &Learner<f32, Net>,
        credit: &[Vec<f32>],
        position: &Position,
    ) -> Result<(), Error> {
        // The lines that the checkpoint counts on have to be on disk before it is.
        let path = self.path.join(Run::METRICS);
        self.metrics.sync_all().map_err(|source| record::Error::io("write", &path, source))?;
        let hash = &self.record.provenance.recipe_hash;
        Checkpoint::write(&self.path, learner, credit, position, hash, self.metrics_bytes)?;
        self.saved = Instant::now();
        Ok(())
    }
}

impl Listener for RunDirectory {
    fn on(&mut self, _spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::Started(_) | Event::Stepped(_) => Ok(()),
            Event::Measured(epoch) => {
                self.append(&serde_json::to_string(epoch).expect("an epoch is plain data"))
            }
            Event::AtRest { position, learner, credit, must } => {
                if *must || self.saved.elapsed() >= self.every {
                    self.save(learner, credit, position)?;
                }
                Ok(())
            }
            Event::Ended { position, outcome } => {
                self.record.provenance.ended = Some(now());
                self.record.status = match outcome {
                    Outcome::Finished { drift } => {
                        self.record.drift = Some(drift.clone());
                        Status::Finished
                    }
                    Outcome::Halted { check, drift } => {
                        self.record.drift = Some(drift.clone());
                        Status::Halted { check: check.clone(), epoch: position.epoch }
                    }
                    Outcome::Interrupted => Status::Interrupted,
                    Outcome::NonFinite { reason, step } => {
                        Status::Stopped { reason: reason.clone(), epoch: position.epoch, step: *step }
                    }
                };
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
            data: spec.source.name().to_owned(),
            data_hash: data_hash.to_owned(),
            seed: spec.seed,
            machine: machine(),
            threads,
            started: now(),
            ended: None,
            resumed: 0,
        },
        drift: None,
    }
}

/// Opens a file for writing after its first `length` bytes.
fn cut_back(path: &Path, length: u64) -> Result<File, Error> {
    let open = || {
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        if file.metadata()?.len() < length {
            let message =
                "it is shorter than the checkpoint says; remove both to train this run from its start";
            return Err(std::io::Error::other(message));
        }
        file.set_len(length)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    };
    open().map_err(|source| record::Error::io("continue", path, source).into())
}

/// A directory without recipe or record is free to take, unless it holds what a run computed.
fn nothing_or_remains(path: &Path, missing: &'static str) -> Result<Found, Error> {
    let computed = [RunRecord::FILE, Run::METRICS, Checkpoint::FILE];
    match computed.into_iter().find(|file| path.join(file).exists()) {
        Some(found) => Err(Error::Remains { path: path.to_owned(), found, missing }),
        None => Ok(Found::Nothing),
    }
}

/// The first keys in which two resolved recipes differ.
fn difference(there: &str, wanted: &str) -> String {
    let keys = |text: &str| text.parse::<toml::Table>().map(record::flatten).unwrap_or_default();
    let (there, wanted) = (keys(there), keys(wanted));
    let names: BTreeSet<&String> = there.keys().chain(wanted.keys()).collect();
    let show = |value: Option<&toml::Value>| value.map_or_else(|| "nothing".to_owned(), ToString::to_string);
    let differing = names.into_iter().filter(|name| there.get(*name) != wanted.get(*name));
    let lines: Vec<String> = differing
        .take(3)
        .map(|name| format!("{name} is {} there, {} here", show(there.get(name)), show(wanted.get(name))))
        .collect();
    if lines.is_empty() { "written in another form".to_owned() } else { lines.join("; ") }
}
