//! What a worker leaves about each run it takes: a file when it starts, one that it renews while it trains, one when it ends.
//!
//! Each attempt has names of its own, so that no two processes write the same file. A start without an end, with no sign of life
//! and gone from the queue, was killed.

use crate::{Error, Folder};
use record::durable;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The start of an attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// When, UTC, by the node's clock.
    pub time: String,
    /// The node's name in the scheduler, or the host's.
    pub node: String,
    /// The shard.
    pub shard: String,
    /// The element of a job array, as `scontrol` and `scancel` take it; absent outside Slurm.
    pub job: Option<String>,
    /// How often the scheduler has started this element before.
    pub restarts: u64,
    /// Megabytes of memory asked for, where known.
    pub memory_asked: Option<u64>,
    /// Seconds between two signs of life.
    pub heartbeat: f64,
}

/// A sign of life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    /// Epochs completed.
    pub epoch: u64,
    /// Most bytes of memory that the worker has had, all its runs together; absent where the system does not say.
    pub memory: Option<u64>,
}

/// The end of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// When, UTC, by the node's clock.
    pub time: String,
    /// How.
    pub ending: Ending,
    /// As in [`Beat`].
    pub memory: Option<u64>,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Ending {
    /// The run is over; its record says how.
    Over,
    /// Asked to stop; the run is saved.
    Interrupted,
    /// An error.
    Failed {
        /// Its message.
        error: String,
    },
    /// Left to an attempt that was at work already.
    Yielded {
        /// The other attempt.
        to: String,
    },
    /// Another attempt took the run over.
    Superseded,
}

/// An attempt as readers see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// Its name.
    pub name: String,
    /// Its start.
    pub start: Start,
    /// When the start was written, by the clock of the file system.
    pub started: SystemTime,
    /// Its last sign of life.
    pub beat: Option<Beat>,
    /// When that was, by the clock of the file system.
    pub seen: SystemTime,
    /// Its end.
    pub end: Option<End>,
}

/// After how many missed signs of life an attempt counts as gone.
const MISSED: f64 = 3.0;

impl Attempt {
    /// The attempts at a run, the earliest first. What cannot be read yet is passed over: on network file systems names and
    /// contents may come late.
    pub fn all(folder: &Folder, run: &str) -> Vec<Self> {
        let at = folder.attempts(run);
        let entries = std::fs::read_dir(&at).into_iter().flatten().flatten();
        let names: BTreeSet<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        let of = |file: &String| Self::read(&at, file.strip_suffix(START)?);
        let mut attempts: Vec<Self> = names.iter().filter_map(of).collect();
        attempts.sort_by(|a, b| a.age().cmp(&b.age()));
        attempts
    }

    fn read(at: &Path, name: &str) -> Option<Self> {
        let path = |suffix: &str| at.join(format!("{name}{suffix}"));
        let start: Start = content(&path(START))?;
        let started = modified(&path(START))?;
        let beat = path(BEAT);
        Some(Self {
            name: name.to_owned(),
            start,
            started,
            seen: modified(&beat).map_or(started, |beat| beat.max(started)),
            beat: content(&beat),
            end: content(&path(END)),
        })
    }

    /// The order of attempts: by their start, then by name.
    fn age(&self) -> (SystemTime, &str) {
        (self.started, &self.name)
    }

    /// How long an attempt may be silent before it counts as gone.
    pub fn patience(&self) -> Duration {
        Duration::try_from_secs_f64(MISSED * self.start.heartbeat).unwrap_or(Duration::MAX)
    }

    /// Whether it has not ended and gave a sign of life lately.
    pub fn is_alive(&self, now: SystemTime) -> bool {
        let silent = now.duration_since(self.seen).unwrap_or_default();
        self.end.is_none() && silent <= self.patience()
    }

    /// Whether its turn comes before that of another: of two that are alive, the earlier goes on.
    pub(crate) fn precedes(&self, other: &Self) -> bool {
        self.age() < other.age()
    }
}

const START: &str = ".start.json";
const BEAT: &str = ".beat.json";
const END: &str = ".end.json";

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|meta| meta.modified()).ok()
}

fn content<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_str(&record::bounded::json(path, record::bounded::RECORD).ok()?).ok()
}

/// An attempt under way, as its worker writes it.
#[derive(Debug)]
pub(crate) struct Writer {
    at: PathBuf,
    name: String,
}

impl Writer {
    /// Begins an attempt.
    pub(crate) fn start(folder: &Folder, run: &str, start: &Start) -> Result<Self, Error> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let at = folder.attempts(run);
        Folder::make(&at)?;
        let name = format!("{}-{}", durable::writer(), COUNT.fetch_add(1, Ordering::Relaxed));
        let attempt = Self { at, name };
        attempt.write(START, start)?;
        Ok(attempt)
    }

    pub(crate) fn beat(&self, beat: &Beat) -> Result<(), Error> {
        self.write(BEAT, beat)
    }

    pub(crate) fn end(&self, ending: Ending) -> Result<(), Error> {
        self.write(END, &End { time: lab::now(), ending, memory: peak_memory() })
    }

    /// The attempt as others read it.
    pub(crate) fn read_back(&self) -> Option<Attempt> {
        Attempt::read(&self.at, &self.name)
    }

    fn write(&self, suffix: &str, content: &impl Serialize) -> Result<(), Error> {
        let mut text = serde_json::to_string(content).expect("attempts are plain data");
        text.push('\n');
        Ok(durable::write(&self.at.join(format!("{}{suffix}", self.name)), text.as_bytes())?)
    }
}

/// Most bytes of memory that this process has had, if the system says.
pub(crate) fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
