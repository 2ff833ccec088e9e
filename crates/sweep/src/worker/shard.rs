//! A shard, from its first run to its last.

use super::Outcome;
use super::heart::{Heart, Stopper};
use super::task::Tasks;
use crate::submission::read_shards;
use crate::{Error, Folder, Manifest};
use lab::{Interrupt, MakeListeners, RunSpec};
use std::time::{Duration, Instant};

/// The name of a shard: `1-0` is the first of submission 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The submission.
    pub submission: u64,
    /// Index, from 0; none where the scheduler says it.
    pub index: Option<usize>,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "give SUBMISSION-INDEX, such as 1-0, or 1-auto".to_owned();
        let (submission, index) = text.split_once('-').ok_or_else(wrong)?;
        let index = match index {
            "auto" => None,
            index => Some(index.parse().map_err(|_| wrong())?),
        };
        Ok(Self { submission: submission.parse().map_err(|_| wrong())?, index })
    }
}

/// How a shard is trained. Nothing here changes a result.
#[derive(Clone, Debug)]
pub struct WorkOptions {
    /// The submission.
    pub submission: u64,
    /// Index of the shard, from 0.
    pub shard: usize,
    /// Cores to use: as many runs at a time, or more threads per run where there are fewer runs.
    pub cores: usize,
    /// Folder of the data sets.
    pub data: data::Folder,
    /// Time between two signs of life.
    pub heartbeat: Duration,
    /// Failures in a row after which no further run is begun.
    pub max_failures: usize,
    /// How long a worker stays after too many failures: while it does, its node takes no other shard and fails that too.
    pub linger: Duration,
    /// Least time between two checkpoints of a run.
    pub checkpoint_every: Duration,
    /// How long to wait for files that another machine has just written.
    pub patience: Duration,
}

/// What came of a shard.
#[derive(Clone, Debug)]
pub struct Worked {
    /// Each run, in the order of the shard.
    pub outcomes: Vec<(String, Outcome)>,
    /// The node.
    pub node: String,
}

impl Worked {
    /// Whether every run is over.
    pub fn all_over(&self) -> bool {
        self.outcomes.iter().all(|(_, outcome)| matches!(outcome, Outcome::Over(_)))
    }

    /// Whether the worker was asked to stop.
    pub fn interrupted(&self) -> bool {
        self.outcomes.iter().any(|(_, outcome)| *outcome == Outcome::Interrupted)
    }
}

/// Trains a shard. `say` is told, line by line, what happens.
pub fn work(
    folder: &Folder,
    options: &WorkOptions,
    listeners: MakeListeners<'_>,
    say: &(dyn Fn(&str) + Sync),
    interrupt: &Interrupt,
) -> Result<Worked, Error> {
    let (manifest, ids) = patiently(options.patience, || {
        let shards = read_shards(folder, options.submission)?;
        let no_shard =
            Error::NoShard { shard: options.shard, submission: options.submission, shards: shards.len() };
        let ids = shards.into_iter().nth(options.shard).ok_or(no_shard)?;
        Ok((Manifest::read(folder)?, ids))
    })?;
    manifest.program.check(folder)?;
    let specs = manifest.specs(&ids, folder)?;
    let heart = Heart::default();
    let tasks = Tasks::new(folder, &manifest, &specs, options, listeners, say, interrupt, &heart);
    let outcomes = std::thread::scope(|scope| {
        let beat = || heart.beat(options.heartbeat);
        if let Err(error) = std::thread::Builder::new().name("heart".to_owned()).spawn_scoped(scope, beat) {
            say(&format!("No thread for signs of life ({error}): they come at the ends of epochs"));
            heart.beat_with_epochs(options.heartbeat);
        }
        let _stops = Stopper(&heart);
        tasks.train()
    });
    if outcomes.contains(&Outcome::NotTried) && !options.linger.is_zero() {
        say(&format!(
            "Staying for {} s, so that no other shard fails on {}",
            options.linger.as_secs(),
            tasks.node()
        ));
        let begun = Instant::now();
        while begun.elapsed() < options.linger && !interrupt.requested() {
            std::thread::sleep(Duration::from_millis(200));
        }
    }
    let named = |(spec, outcome): (&RunSpec, Outcome)| (spec.id.clone(), outcome);
    Ok(Worked { outcomes: specs.iter().zip(outcomes).map(named).collect(), node: tasks.node().to_owned() })
}

/// Reads files that may come late: a network file system remembers for a while that a name was not there.
fn patiently<T>(patience: Duration, read: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
    let begun = Instant::now();
    loop {
        match read() {
            Err(Error::NoShards { .. } | Error::NoSweep { .. }) if begun.elapsed() < patience => {
                std::thread::sleep(Duration::from_secs(1).min(patience));
            }
            other => return other,
        }
    }
}
