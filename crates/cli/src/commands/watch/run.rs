//! One run directory, looked at again and again. Only what changed is read.

use super::course::Course;
use crate::remedy::for_run;
use crate::show;
use protocol::baseline::is_frozen;
use protocol::{THRESHOLDS, Thresholds, thresholds};
use record::audit::CheckId;
use record::{Error, Run, RunRecord, Stamp, Status, Tail, bounded, epochs_asked, escape, flatten};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A run under way is expected to write something within this time, or within three of its epochs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A run directory as it was at the last look.
#[derive(Debug)]
pub(super) struct Watched {
    path: PathBuf,
    stamp: Option<Stamp>,
    record: Option<RunRecord>,
    asked: Option<u64>,
    limits: Thresholds,
    is_frozen: bool,
    tail: Tail,
    pub(super) course: Course,
    /// When its audit was written.
    audit: Option<SystemTime>,
    is_gone: bool,
    /// What is wrong with its record, and with its log.
    problems: [Option<String>; 2],
    /// The epochs from which and to which its log went back.
    back: Option<(u64, u64)>,
    /// When a look last found something new.
    pub(super) changed: SystemTime,
}

/// What a run directory says about its run.
pub(super) struct Standing {
    /// Its state in a word.
    pub(super) word: &'static str,
    /// What there is to say about it, if anything.
    pub(super) words: Option<String>,
}

impl Watched {
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            stamp: None,
            record: None,
            asked: None,
            limits: THRESHOLDS,
            is_frozen: false,
            tail: Tail::of(path),
            course: Course::default(),
            audit: None,
            is_gone: false,
            problems: [None, None],
            back: None,
            changed: SystemTime::now(),
        }
    }

    /// Its name.
    pub(super) fn id(&self) -> String {
        let folder = || self.path.file_name().map(|name| escape::path(name.as_ref())).unwrap_or_default();
        self.record.as_ref().map_or_else(folder, |record| record.id.clone())
    }

    /// Epochs asked for.
    pub(super) fn asked(&self) -> Option<u64> {
        self.asked
    }

    /// The checks that fire, and since which epoch. Of a frozen baseline, the accuracy alone counts.
    pub(super) fn firing(&self) -> impl Iterator<Item = (CheckId, u64)> {
        let counts = !self.is_gone && !self.is_frozen;
        self.course.firing().filter(move |_| counts)
    }

    /// Whether it came to an end of its own, so that nothing more is expected.
    pub(super) fn is_over(&self) -> bool {
        let ended = |record: &RunRecord| {
            record.status.is_complete() || matches!(record.status, Status::Stopped { .. })
        };
        self.is_gone || self.record.as_ref().is_some_and(ended)
    }

    /// Looks at record and log; says whether there is news.
    pub(super) fn look(&mut self) -> bool {
        let record = self.look_at_record();
        let log = !self.is_gone && self.look_at_log();
        if record || log {
            self.changed = SystemTime::now();
        }
        record || log
    }

    /// Whether it was audited since this was last asked.
    pub(super) fn was_audited(&mut self) -> bool {
        let audit = modified(&self.path.join(Run::AUDIT));
        std::mem::replace(&mut self.audit, audit) != audit
    }

    fn look_at_record(&mut self) -> bool {
        let stamp = match Stamp::of(&self.path.join(Run::RECORD)) {
            Ok(stamp) => stamp,
            Err(e) if e.kind() == ErrorKind::NotFound => {
                self.stamp = None;
                return !std::mem::replace(&mut self.is_gone, true);
            }
            Err(e) => {
                self.stamp = None;
                return self.says(0, Some(Error::io("read", &self.path.join(Run::RECORD), e)));
            }
        };
        self.is_gone = false;
        if self.stamp.replace(stamp) == Some(stamp) {
            return false;
        }
        match RunRecord::read(&self.path) {
            Ok(record) => {
                self.record = Some(record);
                self.says(0, None);
            }
            Err(e) => {
                self.says(0, Some(e));
            }
        }
        // A resumed run has its recipe written again, after its record.
        let recipe = bounded::text(&self.path.join(Run::RECIPE), bounded::RECIPE).ok();
        if let Some(recipe) = recipe.and_then(|text| text.parse().ok()).map(flatten) {
            self.asked = epochs_asked(&recipe);
            self.limits = thresholds(|key| recipe.get(key));
            self.is_frozen = is_frozen(&recipe);
        }
        true
    }

    fn look_at_log(&mut self) -> bool {
        match self.tail.news() {
            Ok(None) => false,
            Ok(Some(news)) => {
                let before = self.course.epoch;
                if news.anew {
                    self.course = Course::default();
                }
                for epoch in &news.epochs {
                    self.course.take(epoch, &self.limits);
                }
                let now = self.course.epoch.unwrap_or(0);
                self.back = before.filter(|&before| before > now).map(|before| (before, now)).or(self.back);
                self.back = self.back.filter(|(from, _)| now < *from);
                self.says(1, None);
                true
            }
            Err(e) => {
                self.course = Course::default();
                self.says(1, Some(e))
            }
        }
    }

    /// Notes a problem, or that there is none; says whether that is news.
    fn says(&mut self, what: usize, problem: Option<Error>) -> bool {
        let words = problem.map(|error| for_run(&error));
        let is_new = self.problems[what] != words;
        self.problems[what] = words;
        is_new
    }

    /// How long ago it gave a sign of life: a line, a checkpoint or a record.
    pub(super) fn silence(&self, now: SystemTime) -> Duration {
        let signs = [
            self.stamp.map(|stamp| stamp.modified),
            self.tail.written(),
            modified(&self.path.join(Run::CHECKPOINT)),
        ];
        let last = signs.into_iter().flatten().max();
        last.map(|last| now.duration_since(last).unwrap_or_default()).unwrap_or_default()
    }

    /// Time left, by its own last epochs.
    pub(super) fn left(&self, now: SystemTime) -> Option<Duration> {
        let written = self.tail.written()?;
        self.course.left(self.asked, now.duration_since(written).unwrap_or_default())
    }

    /// What its directory says.
    pub(super) fn standing(&self, now: SystemTime) -> Standing {
        if self.is_gone {
            let words = "its directory is gone, or has no run.json any more".to_owned();
            return Standing { word: "gone", words: Some(words) };
        }
        if let Some(problem) = self.problems.iter().flatten().next() {
            return Standing { word: "unreadable", words: Some(problem.clone()) };
        }
        let Some(record) = &self.record else { return Standing { word: "unreadable", words: None } };
        let back = self.back.map(|(from, to)| {
            format!("its log went back from epoch {from} to {to}: resumed from a checkpoint, or cut off")
        });
        let (word, words) = match &record.status {
            Status::Finished => ("done", back),
            Status::Halted { .. } | Status::Stopped { .. } => ("done", record.status.reason()),
            Status::Interrupted => {
                ("interrupted", Some("saved midway; the same command with --resume goes on".to_owned()))
            }
            Status::Running => self.under_way(now, back),
        };
        Standing { word, words }
    }

    /// A killed run says that it is running as well; what tells them apart is that it writes nothing any more.
    fn under_way(&self, now: SystemTime, back: Option<String>) -> (&'static str, Option<String>) {
        let silence = self.silence(now);
        let patience =
            self.course.epoch_time().map_or(PATIENCE, |epoch| PATIENCE.max(epoch.saturating_mul(3)));
        if silence <= patience {
            return ("running", back);
        }
        let words = format!(
            "no sign of life for {}: if nobody trains it, it was killed, and the same command with --resume goes on",
            show::roughly(silence)
        );
        ("silent", Some(words))
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|meta| meta.modified()).ok()
}
