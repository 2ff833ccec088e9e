//! Trains the runs of a plan, one run per core.

use crate::cost::fits_memory;
use crate::store::{Found, Opened, RunDirectory, look};
use crate::{DataSets, Error, Event, Interrupt, Listener, NUMERICS, RunSpec, pool, train};
use data::{Dataset, Folder};
use nn::Net;
use record::Status;
use rules::Learner;
use std::path::PathBuf;
use std::time::Duration;

/// How runs are executed. Nothing here changes their results.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder for the run directories.
    pub out: PathBuf,
    /// Folder with the data sets.
    pub folder: Folder,
    /// Number of simultaneous runs; by default one per core.
    pub jobs: Option<usize>,
    /// Threads per run; by default the free cores divided among the runs.
    pub threads: Option<usize>,
    /// Continue existing runs.
    pub resume: bool,
    /// Minimum time between checkpoints of a run.
    pub checkpoint_every: Duration,
}

/// How each run ended, in the order of the plan; `None` for a run that did not start because of a stop request.
pub type Endings = Vec<Result<Option<Status>, Error>>;

/// The caller's own listeners for each run, besides its directory.
pub type MakeListeners<'a> = &'a (dyn Fn(&RunSpec) -> Vec<Box<dyn Listener>> + Sync);

/// Creates the learner of a run.
pub(crate) type MakeLearner<'a> = &'a (dyn Fn(&RunSpec) -> Result<Learner<f32, Net>, Error> + Sync);

/// Trains every run. If a run fails, the others continue.
///
/// Everything that can be checked is checked before the first step: missing data, directories of other recipes.
pub fn run_all(
    specs: &[RunSpec],
    options: &Options,
    listeners: MakeListeners<'_>,
    interrupt: &Interrupt,
) -> Result<Endings, Error> {
    run_with(specs, options, &RunSpec::learner, listeners, interrupt)
}

/// The same with custom learners, such as the broken ones of the self-test.
pub(crate) fn run_with(
    specs: &[RunSpec],
    options: &Options,
    learner: MakeLearner<'_>,
    listeners: MakeListeners<'_>,
    interrupt: &Interrupt,
) -> Result<Endings, Error> {
    let (jobs, threads) = pool::shares(options.jobs, options.threads, specs.len());
    fits_memory(specs, jobs)?;
    let mut data_sets = DataSets::new(options.folder.clone());
    let data = specs.iter().map(|spec| data_sets.load(&spec.source)).collect::<Result<Vec<_>, _>>()?;
    for (spec, data) in specs.iter().zip(&data) {
        look(&options.out.join(&spec.id), spec, &data.hash, options.resume)?;
    }
    // Once for all runs: a folder that cannot be written is one error, not one per run.
    record::durable::create_folders(&options.out)?;
    let endings = pool::side_by_side(specs, jobs, |index, spec| {
        if interrupt.requested() {
            return Ok(None);
        }
        one(spec, &data[index], options, threads, learner, listeners(spec), interrupt).map(Some)
    });
    let ending = |(spec, ending): (&RunSpec, Result<_, String>)| {
        ending.unwrap_or_else(|message| Err(Error::Internal { id: spec.id.clone(), message }))
    };
    Ok(specs.iter().zip(endings).map(ending).collect())
}

/// Trains one run on data that are loaded already, continuing what its directory holds. For callers that hand out runs one by
/// one; of the options, only folder, `resume` and the time between checkpoints count.
pub fn run_one(
    spec: &RunSpec,
    data: &Dataset,
    options: &Options,
    threads: usize,
    listeners: Vec<Box<dyn Listener>>,
    interrupt: &Interrupt,
) -> Result<Status, Error> {
    one(spec, data, options, threads, &RunSpec::learner, listeners, interrupt)
}

fn one(
    spec: &RunSpec,
    data: &Dataset,
    options: &Options,
    threads: usize,
    learner: MakeLearner<'_>,
    mut listeners: Vec<Box<dyn Listener>>,
    interrupt: &Interrupt,
) -> Result<Status, Error> {
    let path = options.out.join(&spec.id);
    // Checked again: other processes may work in the same folder.
    let found = look(&path, spec, &data.hash, options.resume)?;
    record::durable::clean(&path);
    if let Found::Over(status) = found {
        // Whoever finished it may have been killed before the last name was on the disk.
        record::durable::sync_folder(&path)?;
        return Ok(status);
    }
    let mut learner = learner(spec)?;
    let threads = threads.clamp(1, spec.batch);
    let every = options.checkpoint_every;
    let Opened { directory, position, other_numerics } =
        RunDirectory::open(&path, spec, &data.hash, threads, every, found, &mut learner)?;
    listeners.insert(0, Box::new(directory));
    if let Some(from) = other_numerics {
        listeners.on(spec, &Event::NumericsChanged { from, to: NUMERICS })?;
    }
    train(spec, data, learner, position, threads, &mut listeners, interrupt)
}
