//! A kill, and what it hit.

use crate::POLL;
use record::Run;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

/// When to kill.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aim {
    Anywhere,
    /// While a checkpoint is half written.
    Checkpoint,
    /// While a recipe or a record is.
    Record,
}

/// What the program was doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Struck {
    Starting,
    WritingRecord,
    WritingCheckpoint,
    BeforeCheckpoint,
    Training,
}

impl Struck {
    pub(crate) const ALL: [Self; 5] = [
        Self::Starting,
        Self::WritingRecord,
        Self::WritingCheckpoint,
        Self::BeforeCheckpoint,
        Self::Training,
    ];

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Starting => "starting: nothing of this sitting on disk yet",
            Self::WritingRecord => "writing `recipe.toml` or `run.json`",
            Self::WritingCheckpoint => "writing a checkpoint",
            Self::BeforeCheckpoint => "between a line of the log and the checkpoint that counts it",
            Self::Training => "training or measuring",
        }
    }
}

/// Kills a process after a time, or later, once its aim is seen. None if it ended before.
pub(crate) fn after(
    child: &mut Child,
    wait: Duration,
    aim: Aim,
    run: &Path,
) -> std::io::Result<Option<Struck>> {
    let resumed = std::fs::metadata(run.join(Run::RECORD)).and_then(|meta| meta.modified()).ok();
    // What an earlier kill left is no sign of this process.
    let left = partials(run);
    let begun = Instant::now();
    let seen = |partials: &[String]| match aim {
        Aim::Anywhere => true,
        Aim::Checkpoint => partials.iter().any(|name| is_of(name, Run::CHECKPOINT)),
        Aim::Record => partials.iter().any(|name| is_of(name, Run::RECORD) || is_of(name, Run::RECIPE)),
    };
    let new = || partials(run).into_iter().filter(|name| !left.contains(name)).collect::<Vec<_>>();
    while begun.elapsed() < wait || !seen(&new()) {
        if child.try_wait()?.is_some() {
            return Ok(None);
        }
        std::thread::sleep(POLL);
    }
    child.kill()?;
    child.wait()?;
    let half: Vec<String> = new();
    let record = std::fs::metadata(run.join(Run::RECORD)).and_then(|meta| meta.modified()).ok();
    Ok(Some(if half.iter().any(|name| is_of(name, Run::CHECKPOINT)) {
        Struck::WritingCheckpoint
    } else if !half.is_empty() {
        Struck::WritingRecord
    } else if record == resumed {
        Struck::Starting
    } else if uncounted(run) {
        Struck::BeforeCheckpoint
    } else {
        Struck::Training
    }))
}

/// Files that are being written, or that a killed process left so.
fn partials(run: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(run).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".partial")).collect()
}

fn is_of(partial: &str, file: &str) -> bool {
    partial.strip_prefix('.').is_some_and(|name| name.starts_with(file))
}

/// Whether the log was written after the checkpoint.
fn uncounted(run: &Path) -> bool {
    let changed = |file: &str| std::fs::metadata(run.join(file)).and_then(|meta| meta.modified()).ok();
    // The first line, of the untrained network, has no checkpoint of its own.
    let lines = std::fs::read_to_string(run.join(Run::METRICS)).map_or(0, |text| text.lines().count());
    lines > 1 && changed(Run::METRICS) > changed(Run::CHECKPOINT)
}
