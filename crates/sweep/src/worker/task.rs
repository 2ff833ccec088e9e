//! One run of a shard after another.

use super::claim::{Claim, Holder, claim, watch};
use super::heart::Heart;
use super::place::here;
use super::{Outcome, WorkOptions};
use crate::{Attempt, Ending, Error, Folder, Manifest, Planned, Start};
use data::Dataset;
use lab::{DataSets, Interrupt, MakeListeners, Options, RunSpec};
use record::Status;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The runs of a shard, and what training them needs.
pub(super) struct Tasks<'a> {
    folder: &'a Folder,
    manifest: &'a Manifest,
    specs: &'a [RunSpec],
    planned: BTreeMap<&'a str, &'a Planned>,
    options: &'a WorkOptions,
    listeners: MakeListeners<'a>,
    say: &'a (dyn Fn(&str) + Sync),
    interrupt: &'a Interrupt,
    heart: &'a Heart,
    data: Mutex<DataSets>,
    start: Start,
    jobs: usize,
    /// Why no run of the shard can be trained here, if so.
    memory: Option<String>,
    failures: AtomicUsize,
}

/// How a first look at a run came out.
enum First {
    Outcome(Outcome),
    /// Another attempt is at work on it.
    Held(Box<Attempt>),
}

impl<'a> Tasks<'a> {
    #[expect(clippy::too_many_arguments, reason = "called once; each is a part of its own")]
    pub(super) fn new(
        folder: &'a Folder,
        manifest: &'a Manifest,
        specs: &'a [RunSpec],
        options: &'a WorkOptions,
        listeners: MakeListeners<'a>,
        say: &'a (dyn Fn(&str) + Sync),
        interrupt: &'a Interrupt,
        heart: &'a Heart,
    ) -> Self {
        let jobs = options.cores.clamp(1, specs.len().max(1));
        Self {
            folder,
            manifest,
            specs,
            planned: manifest.runs.iter().map(|run| (run.id.as_str(), run)).collect(),
            options,
            listeners,
            say,
            interrupt,
            heart,
            data: Mutex::new(DataSets::new(options.data.clone())),
            start: here(options),
            jobs,
            memory: lab::fits_memory(specs, jobs).err().map(|error| error.to_string()),
            failures: AtomicUsize::new(0),
        }
    }

    pub(super) fn node(&self) -> &str {
        &self.start.node
    }

    /// Trains all runs, first those that are free, then those that others hold.
    pub(super) fn train(&self) -> Vec<Outcome> {
        let firsts = lab::side_by_side(self.specs, self.jobs, |_, spec| self.first(spec));
        let firsts: Vec<First> = firsts.into_iter().map(|first| first.unwrap_or_else(panicked)).collect();
        let seconds = lab::side_by_side(&firsts, self.jobs, |place, first| match first {
            First::Outcome(outcome) => outcome.clone(),
            First::Held(held) => self.second(&self.specs[place], held),
        });
        seconds.into_iter().map(|second| second.unwrap_or_else(Outcome::Failed)).collect()
    }

    fn first(&self, spec: &RunSpec) -> First {
        if self.interrupt.requested() {
            return First::Outcome(Outcome::Interrupted);
        }
        if let Some(status) = self.over(spec) {
            return First::Outcome(Outcome::Over(status));
        }
        if self.failures.load(Ordering::SeqCst) >= self.options.max_failures {
            return First::Outcome(Outcome::NotTried);
        }
        match claim(self.folder, &spec.id, &self.start_now()) {
            Ok(Claim::Ours(attempt)) => {
                let pulse = self.heart.take(attempt);
                let (outcome, ending) = self.one(spec, Box::new(self.heart.ear(pulse.clone())));
                self.heart.let_go(&pulse);
                let superseded = ending == Ending::Superseded;
                if let Err(error) = pulse.attempt().end(ending) {
                    (self.say)(&format!("{}: {error}", spec.id));
                }
                let other = || {
                    Attempt::all(self.folder, &spec.id).into_iter().rev().find(|other| other.end.is_none())
                };
                match superseded.then(other).flatten() {
                    Some(other) => First::Held(Box::new(other)),
                    None => First::Outcome(outcome),
                }
            }
            Ok(Claim::Held(other)) => {
                (self.say)(&format!("{}: an attempt on {} is at work on it", spec.id, other.start.node));
                First::Held(other)
            }
            Err(error) => First::Outcome(self.failed(spec, error.to_string()).0),
        }
    }

    /// A run that another attempt held when it was its turn.
    fn second(&self, spec: &RunSpec, held: &Attempt) -> Outcome {
        let by = || Outcome::LeftTo(format!("an attempt on {}", held.start.node));
        let stop = || self.interrupt.requested() || self.over(spec).is_some();
        match watch(self.folder, &spec.id, held, stop) {
            // It is over, or the worker was asked to stop.
            None => self.over(spec).map_or(Outcome::Interrupted, Outcome::Over),
            Some(Holder::Alive) => by(),
            Some(Holder::Gone) => match self.first(spec) {
                First::Outcome(outcome) => outcome,
                First::Held(_) => by(),
            },
        }
    }

    fn over(&self, spec: &RunSpec) -> Option<Status> {
        let planned = self.planned.get(spec.id.as_str())?;
        lab::outcome(&self.folder.run(&spec.id), &self.manifest.asked(planned))
    }

    /// Trains a run that is ours.
    fn one(&self, spec: &RunSpec, ear: Box<dyn lab::Listener>) -> (Outcome, Ending) {
        let trained = catch_unwind(AssertUnwindSafe(|| {
            if let Some(why) = &self.memory {
                return Err(why.clone());
            }
            let data = self.data(spec).map_err(|error| error.to_string())?;
            let options = Options {
                out: self.folder.root().to_owned(),
                folder: self.options.data.clone(),
                jobs: None,
                threads: None,
                resume: true,
                checkpoint_every: self.options.checkpoint_every,
            };
            let mut listeners = (self.listeners)(spec);
            listeners.push(ear);
            let threads = (self.options.cores / self.jobs).max(1);
            match lab::run_one(spec, &data, &options, threads, listeners, self.interrupt) {
                Err(lab::Error::OtherWriter { .. }) => Ok(None),
                other => other.map(Some).map_err(|error| error.to_string()),
            }
        }));
        match trained.unwrap_or_else(|_| Err("a fault of the program, see its log".to_owned())) {
            Err(error) => self.failed(spec, error),
            Ok(None) => {
                (self.say)(&format!("{}: another attempt took it over", spec.id));
                (Outcome::LeftTo("another attempt".to_owned()), Ending::Superseded)
            }
            Ok(Some(Status::Interrupted | Status::Running)) => (Outcome::Interrupted, Ending::Interrupted),
            Ok(Some(status)) => {
                self.failures.store(0, Ordering::SeqCst);
                (self.say)(&format!("{}: done", spec.id));
                (Outcome::Over(status), Ending::Over)
            }
        }
    }

    fn failed(&self, spec: &RunSpec, error: String) -> (Outcome, Ending) {
        (self.say)(&format!("{}: {error}", spec.id));
        let before = self.failures.fetch_add(1, Ordering::SeqCst);
        if before + 1 == self.options.max_failures {
            (self.say)(&format!(
                "{} runs in a row failed on node {}: no further run is begun here",
                self.options.max_failures,
                self.node()
            ));
        }
        (Outcome::Failed(error.clone()), Ending::Failed { error })
    }

    /// The data of a run, if they are those that the sweep was planned with.
    fn data(&self, spec: &RunSpec) -> Result<Arc<Dataset>, Error> {
        let data = self.data.lock().unwrap_or_else(PoisonError::into_inner).load(&spec.source)?;
        let planned = self.planned.get(spec.id.as_str()).map(|run| self.manifest.asked(run).data_hash);
        match planned.filter(|planned| *planned != data.hash) {
            None => Ok(data),
            Some(planned) => Err(Error::OtherData {
                name: spec.source.name().to_owned(),
                found: data.hash.clone(),
                planned: planned.to_owned(),
            }),
        }
    }

    fn start_now(&self) -> Start {
        Start { time: lab::now(), ..self.start.clone() }
    }
}

fn panicked(message: String) -> First {
    First::Outcome(Outcome::Failed(message))
}
