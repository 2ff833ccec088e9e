//! Runs in progress, looked at from outside: by reading what they write, and nothing else.
//!
//! Nothing happens between two looks. A look reads what was added to logs, and costs a small share of the time since the one before:
//! the folder is searched for new runs, and finished runs are looked at, in growing pauses.

mod course;
mod crew;
mod now;
mod pace;
mod run;

use crew::Crew;
use pace::Pace;
use record::find_runs;
use run::Watched;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// After so long without news, runs that are over stay over: the next run of a plan begins at once.
const QUIET: Duration = Duration::from_millis(2_500);
/// A folder in which nothing happens is searched in pauses that grow to this.
const SEARCH: Duration = Duration::from_secs(8);
const SECOND: Duration = Duration::from_secs(1);

/// Folders of runs.
pub(crate) struct Watch {
    roots: Vec<PathBuf>,
    runs: BTreeMap<PathBuf, Watched>,
    crew: Option<Crew>,
    /// Why a folder or its plan cannot be read.
    problem: Option<String>,
    looks: Pace,
    searches: Pace,
    /// The pause after the next search in which nothing new is found.
    quiet_search: Duration,
    version: u64,
    news: Instant,
}

impl Watch {
    pub(crate) fn new(roots: &[PathBuf]) -> Self {
        Self {
            roots: roots.to_vec(),
            runs: BTreeMap::new(),
            crew: None,
            problem: None,
            looks: Pace::new(100, Duration::from_millis(400), Duration::from_secs(10)),
            searches: Pace::new(200, SECOND, Duration::from_secs(60)),
            quiet_search: SECOND,
            version: 0,
            news: Instant::now(),
        }
    }

    /// Looks for news, unless it did a moment ago.
    pub(crate) fn look(&mut self) {
        if let Some(crew) = &mut self.crew {
            crew.look();
        }
        if !self.looks.is_due() {
            return;
        }
        let begun = Instant::now();
        let known = self.runs.len();
        let mut news = 0;
        let search = self.searches.is_due();
        if search {
            self.search();
        }
        for run in self.runs.values_mut().filter(|run| search || !run.is_over()) {
            news += usize::from(run.look() | (search && run.was_audited()));
        }
        news += self.runs.len() - known;
        let (ended, took) = (Instant::now(), begun.elapsed());
        self.looks.rest(ended, took);
        if search {
            self.quiet_search = if news > 0 { SECOND } else { (2 * self.quiet_search).min(SEARCH) };
            self.searches.rest(ended, took.max(self.quiet_search / 200));
        }
        if news > 0 {
            self.version += 1;
            self.news = Instant::now();
            // Where a run ended, another one begins.
            self.quiet_search = SECOND;
            self.searches.within(SECOND.max(200 * took));
        }
    }

    fn search(&mut self) {
        self.problem = None;
        for root in &self.roots {
            match find_runs(root) {
                Ok(found) => {
                    for path in found {
                        self.runs.entry(path).or_insert_with_key(|path| Watched::new(path));
                    }
                }
                Err(record::Error::NoRuns { .. }) => {}
                Err(error) => self.problem = Some(error.to_string()),
            }
        }
        // A page of several folders tells of their runs alone.
        if let (None, [root]) = (&self.crew, self.roots.as_slice()) {
            match Crew::of(root) {
                Some(Ok(crew)) => self.crew.insert(crew).look(),
                Some(Err(words)) => self.problem = Some(words),
                None => {}
            }
        }
    }

    /// A number that is another one whenever a page made of the records may differ.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Whether all runs came to their end, as far as anybody knows.
    pub(crate) fn has_ended(&self) -> bool {
        let planned = self
            .crew
            .as_ref()
            .is_none_or(|crew| crew.found.as_ref().is_some_and(|(_, report)| report.all_done()));
        planned
            && !self.runs.is_empty()
            && self.news.elapsed() > QUIET
            && self.runs.values().all(Watched::is_over)
    }
}
