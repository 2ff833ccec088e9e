//! All runs of a recipe, one run a core.

use crate::clock::cores;
use crate::cost::{Cost, machine_memory};
use crate::store::Found;
use crate::store::RunDirectory;
use crate::{Error, Event, Interrupt, Listener, Outcome, RunSpec, train};
use data::{Dataset, Folder};
use nn::Net;
use record::Status;
use rules::Learner;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How runs are carried out. None of it changes their result.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder that holds the run directories.
    pub out: PathBuf,
    /// Where data sets are.
    pub folder: Folder,
    /// Runs at a time; as many as there are cores where nothing is said.
    pub jobs: Option<usize>,
    /// Threads a run; what the cores allow where nothing is said.
    pub threads: Option<usize>,
    /// Continue what is there.
    pub resume: bool,
    /// Least time between checkpoints of a run.
    pub checkpoint_every: Duration,
}

/// How a run came out.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// Trained to the end, now or before.
    Finished,
    /// Ended itself when this check fired, as the recipe asks.
    Halted(String),
    /// Given up, with the reason.
    Stopped(String),
    /// Stopped on request; can be resumed.
    Interrupted,
    /// Not begun, because of a request to stop.
    NotStarted,
}

/// A listener of one's own for each run.
pub type MakeListener<'a> = &'a (dyn Fn(&RunSpec) -> Box<dyn Listener> + Sync);

/// How the learner of a run is made.
pub(crate) type MakeLearner<'a> = &'a (dyn Fn(&RunSpec) -> Result<Learner<f32, Net>, Error> + Sync);

/// Trains every run. A run that fails leaves the others running; the endings come back in the order of `specs`.
///
/// Everything that can be refused is refused before the first step: missing data, directories of other recipes.
pub fn run_all(
    specs: &[RunSpec],
    options: &Options,
    listener: MakeListener<'_>,
    interrupt: &Interrupt,
) -> Result<Vec<Result<Ending, Error>>, Error> {
    run_with(specs, options, &RunSpec::learner, listener, interrupt)
}

/// The same with learners of one's own making, such as those that the self-test breaks.
pub(crate) fn run_with(
    specs: &[RunSpec],
    options: &Options,
    learner: MakeLearner<'_>,
    listener: MakeListener<'_>,
    interrupt: &Interrupt,
) -> Result<Vec<Result<Ending, Error>>, Error> {
    let jobs = options.jobs.unwrap_or_else(cores).clamp(1, specs.len().max(1));
    enough_memory(specs, jobs)?;
    let data = load(specs, &options.folder)?;
    for (spec, data) in specs.iter().zip(&data) {
        RunDirectory::look(&options.out.join(&spec.id), spec, &data.hash, options.resume)?;
    }
    // Once for all: a place that cannot be written is one fault, not one a run.
    std::fs::create_dir_all(&options.out)
        .map_err(|source| record::Error::io("create", &options.out, source))?;
    let threads = options.threads.unwrap_or_else(|| (cores() / jobs).max(1));
    let next = AtomicUsize::new(0);
    let endings: Vec<_> = specs.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::SeqCst);
                    let Some(spec) = specs.get(index) else { break };
                    let attempt =
                        || one(spec, &data[index], options, threads, (learner, listener(spec)), interrupt);
                    let ending = catch_unwind(AssertUnwindSafe(attempt)).unwrap_or_else(|panic| {
                        Err(Error::Internal { id: spec.id.clone(), message: words(&*panic) })
                    });
                    *endings[index].lock().expect("no thread panics while it holds this") = Some(ending);
                }
            });
        }
    });
    let ending = |slot: Mutex<Option<_>>| slot.into_inner().ok().flatten().unwrap_or(Ok(Ending::NotStarted));
    Ok(endings.into_iter().map(ending).collect())
}

/// Refuses runs that together need more memory than the machine has: running out of it would end them all.
pub fn enough_memory(specs: &[RunSpec], jobs: usize) -> Result<(), Error> {
    let mut needs: Vec<u64> = specs.iter().map(|spec| Cost::of(spec).memory).collect();
    needs.sort_unstable();
    let together = needs.iter().rev().take(jobs).fold(0u64, |sum, &need| sum.saturating_add(need));
    match machine_memory() {
        Some(there) if together > there => {
            Err(Error::Memory { together, there, jobs: jobs.min(specs.len()) })
        }
        _ => Ok(()),
    }
}

/// Each data set once, shared by all runs that use it.
fn load(specs: &[RunSpec], folder: &Folder) -> Result<Vec<Arc<Dataset>>, Error> {
    let mut loaded: Vec<(&data::DataSpec, Arc<Dataset>)> = Vec::new();
    let mut all = Vec::with_capacity(specs.len());
    for spec in specs {
        let data = match loaded.iter().find(|(source, _)| **source == spec.source) {
            Some((_, data)) => data.clone(),
            None => {
                let data = Arc::new(data::load(&spec.source, folder)?);
                loaded.push((&spec.source, data.clone()));
                data
            }
        };
        all.push(data);
    }
    Ok(all)
}

fn one(
    spec: &RunSpec,
    data: &Dataset,
    options: &Options,
    threads: usize,
    (learner, listener): (MakeLearner<'_>, Box<dyn Listener>),
    interrupt: &Interrupt,
) -> Result<Ending, Error> {
    if interrupt.requested() {
        return Ok(Ending::NotStarted);
    }
    let path = options.out.join(&spec.id);
    let found = RunDirectory::look(&path, spec, &data.hash, options.resume)?;
    if let Found::Over(status) = &found {
        return Ok(match status {
            Status::Stopped { reason, .. } => Ending::Stopped(reason.clone()),
            Status::Halted { check, .. } => Ending::Halted(check.clone()),
            _ => Ending::Finished,
        });
    }
    let mut learner = learner(spec)?;
    let every = options.checkpoint_every;
    let threads = threads.clamp(1, spec.batch);
    let (directory, position) =
        RunDirectory::open(&path, spec, &data.hash, threads, every, found, &mut learner)?;
    let mut both = Both(directory, listener);
    Ok(match train(spec, data, learner, position, threads, &mut both, interrupt)? {
        Outcome::Finished { .. } => Ending::Finished,
        Outcome::Halted { check, .. } => Ending::Halted(check),
        Outcome::Interrupted => Ending::Interrupted,
        Outcome::NonFinite { reason, .. } => Ending::Stopped(reason),
    })
}

/// The run directory, and whoever else listens.
struct Both(RunDirectory, Box<dyn Listener>);

impl Listener for Both {
    fn on(&mut self, spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        self.0.on(spec, event)?;
        self.1.on(spec, event)
    }
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
