//! What is under way, put together from run directories and, for a sweep, from what `sweep status` tells: the newer of both counts.

use super::Watch;
use super::course::duration;
use super::crew::Crew;
use super::run::{Standing, Watched};
use crate::commands::run::plural;
use crate::commands::sweep::{ago, next, together, words};
use crate::show;
use record::escape;
use report::html::{Firing, Live, Progress};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use sweep::{Planned, RunState, State};

/// States in the order in which they are counted.
const WORDS: [&str; 12] = [
    "done",
    "running",
    "silent",
    "queued",
    "interrupted",
    "failed",
    "killed",
    "lost",
    "unknown",
    "not submitted",
    "unreadable",
    "gone",
];

/// A run and its state.
struct Entry<'a> {
    id: String,
    run: Option<&'a Watched>,
    planned: Option<&'a Planned>,
    node: Option<String>,
    standing: Standing,
}

impl Entry<'_> {
    fn is(&self, word: &str) -> bool {
        self.standing.word == word
    }

    /// Share of its epochs that are done.
    fn done(&self) -> f64 {
        let epochs = self.planned.map_or(0, |planned| planned.epochs).max(1);
        let epoch = self.run.and_then(|run| run.course.epoch).unwrap_or(0);
        (epoch as f64 / epochs as f64).min(1.0)
    }
}

impl Watch {
    /// What is under way at the last look.
    pub(crate) fn now(&self) -> Live {
        let now = SystemTime::now();
        let entries = self.entries(now);
        let firing = entries.iter().flat_map(|entry| {
            let firing = |(check, since)| Firing { check, run: entry.id.clone(), since };
            entry.run.into_iter().flat_map(Watched::firing).map(firing)
        });
        let at_work = entries.iter().filter(|entry| entry.is("running"));
        let report = self.crew.as_ref().and_then(|crew| crew.found.as_ref()).map(|(_, report)| report);
        let next = self.crew.as_ref().zip(report).map(|(crew, report)| next(&crew.place, report));
        Live {
            sums: self.sums(&entries, now),
            firing: firing.collect(),
            runs: at_work.map(|entry| progress(entry, now)).collect(),
            notes: self.notes(&entries),
            next: next.map(|(words, command)| (words.to_owned(), command)),
        }
    }

    /// Every run: those of the plan in its order, then others.
    fn entries(&self, now: SystemTime) -> Vec<Entry<'_>> {
        let planned: Vec<(PathBuf, &Planned)> = self.crew.iter().flat_map(Crew::planned).collect();
        let of_plan = planned.iter().enumerate().map(|(index, (path, planned))| {
            let told = self.crew.as_ref().and_then(|crew| crew.told(index));
            entry(self.runs.get(path), planned, told, now)
        });
        let known: BTreeSet<&PathBuf> = planned.iter().map(|(path, _)| path).collect();
        let others = self.runs.iter().filter(|(path, _)| !known.contains(path));
        of_plan.chain(others.map(|(_, run)| alone(run, now))).collect()
    }

    /// `30 runs: 8 done, 4 running, 18 queued; about 2 h 10 min left with 4 at work.`
    fn sums(&self, entries: &[Entry<'_>], now: SystemTime) -> String {
        if entries.is_empty() {
            let roots: Vec<String> = self.roots.iter().map(|root| escape::path(root)).collect();
            return format!("There is no run yet in {}: this page waits for the first.", roots.join(", "));
        }
        let count = |word: &str| entries.iter().filter(|entry| entry.is(word)).count();
        let counted = WORDS.iter().map(|word| (word, count(word))).filter(|(_, n)| *n > 0);
        let parts: Vec<String> =
            counted.map(|(word, n)| format!("{} {word}", show::count(n as u64))).collect();
        let left = match self.left(entries, now) {
            None => String::new(),
            Some(left) if self.crew.is_some() => {
                format!("; about {} left with {} at work", show::roughly(left), count("running"))
            }
            Some(left) => format!("; about {} left for those begun", show::roughly(left)),
        };
        format!("{}: {}{left}.", plural(entries.len()), parts.join(", "))
    }

    /// Time to the end of what is under way and, in a sweep, of what is in the queue: the rest of the work at the pace so far,
    /// shared by those at work, and no less than the longest run under way takes.
    fn left(&self, entries: &[Entry<'_>], now: SystemTime) -> Option<Duration> {
        let running = || entries.iter().filter(|entry| entry.is("running"));
        let longest = running().filter_map(|entry| entry.run?.left(now)).max();
        if self.crew.is_none() {
            return longest;
        }
        // Seconds that went into a planned operation.
        let (mut seconds, mut done) = (0.0, 0.0);
        for entry in entries {
            if let (Some(run), Some(planned)) = (entry.run, entry.planned) {
                seconds += run.course.seconds;
                done += planned.flop * entry.done();
            }
        }
        let ahead = entries.iter().filter(|entry| entry.is("running") || entry.is("queued"));
        let ahead: f64 = ahead.filter_map(|entry| Some(entry.planned?.flop * (1.0 - entry.done()))).sum();
        let workers = running().count();
        if workers == 0 || done <= 0.0 {
            return longest;
        }
        duration(ahead * seconds / done / workers as f64).max(longest)
    }

    /// What a row of the table does not say, runs with the same words together.
    fn notes(&self, entries: &[Entry<'_>]) -> Vec<String> {
        let told =
            entries.iter().filter_map(|entry| Some((entry.standing.words.as_deref()?, entry.id.as_str())));
        let notes = protocol::gathered(told);
        let mut notes: Vec<String> =
            notes.into_iter().map(|(words, names)| format!("{}: {words}", together(&names))).collect();
        if let Some(crew) = &self.crew {
            notes.extend(crew.problem.clone());
            notes.extend(crew.found.as_ref().and_then(|(_, report)| report.trouble.clone()));
        }
        notes.extend(self.problem.clone());
        notes
    }
}

/// A run outside a plan.
fn alone(run: &Watched, now: SystemTime) -> Entry<'_> {
    Entry { id: run.id(), run: Some(run), planned: None, node: None, standing: run.standing(now) }
}

/// A run of a plan, with what was told of it and when that was asked for.
fn entry<'a>(
    run: Option<&'a Watched>,
    planned: &'a Planned,
    told: Option<(SystemTime, &RunState)>,
    now: SystemTime,
) -> Entry<'a> {
    let node = match told {
        Some((_, RunState { state: State::Running { node, .. }, .. })) => Some(node.clone()),
        _ => None,
    };
    let standing = match (run, told) {
        (Some(run), Some((asked, told))) if run.changed <= asked => of_sweep(told),
        (Some(run), _) => run.standing(now),
        (None, Some((_, told))) => of_sweep(told),
        (None, None) => Standing { word: "unknown", words: None },
    };
    Entry { id: planned.id.clone(), run, planned: Some(planned), node, standing }
}

fn of_sweep(told: &RunState) -> Standing {
    let is_in_table = matches!(told.state, State::Running { silent: false, .. });
    Standing { word: told.state.word(), words: words(told).filter(|_| !is_in_table) }
}

fn progress(entry: &Entry<'_>, now: SystemTime) -> Progress {
    let seen = entry.run.map(|run| run.silence(now));
    Progress {
        run: entry.id.clone(),
        node: entry.node.clone(),
        epoch: entry.run.and_then(|run| run.course.epoch),
        asked: entry.planned.map(|planned| planned.epochs).or(entry.run.and_then(Watched::asked)),
        accuracy: entry.run.and_then(|run| run.course.accuracy),
        left: entry.run.and_then(|run| run.left(now)),
        seen: seen.map_or_else(|| "–".to_owned(), ago),
    }
}
