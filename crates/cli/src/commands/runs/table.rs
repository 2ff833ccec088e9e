//! A table of runs, one row each, and below it what needs more words.

use super::Found;
use super::outcome::{N, epochs};
use crate::show::{self, Table};
use protocol::Moment;
use record::{Run, Status, escape};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

/// All runs found at or below `root`, named by their path from there.
pub(super) fn found_table(root: &Path, found: &[Found]) -> String {
    let says_rule = |run: &Run| run.record.id.starts_with(&run.record.rule);
    let mut rows = Rows::new(!found.iter().filter_map(|found| found.run.as_ref().ok()).all(says_rule));
    for Found { path, run } in found {
        let below = escape::path(path.strip_prefix(root).unwrap_or(path));
        match run {
            Ok(run) if below.is_empty() => rows.run(&run.record.id, run),
            Ok(run) => rows.run(&below, run),
            Err(problem) if below.is_empty() => rows.broken(&escape::path(path), problem),
            Err(problem) => rows.broken(&below, problem),
        }
    }
    rows.text()
}

struct Rows {
    table: Table,
    /// Whether the rules are in a column of their own: a name that begins with its rule says it already.
    rules: bool,
    notes: Vec<String>,
    /// The runs that each other program trained.
    elsewhere: BTreeMap<String, Vec<String>>,
    running: bool,
    now: SystemTime,
}

impl Rows {
    fn new(rules: bool) -> Self {
        let heading = ["run", "rule", "state", "epoch", "test", "growth", "‖g_L‖", "started"];
        Self {
            table: Table::new(&heading, 3),
            rules,
            notes: Vec::new(),
            elsewhere: BTreeMap::new(),
            running: false,
            now: SystemTime::now(),
        }
    }

    fn run(&mut self, name: &str, run: &Run) {
        let record = &run.record;
        let absent = || "–".to_owned();
        let last = run.last();
        let growth = last.and_then(|epoch| Moment::of(epoch).growth);
        let gradient = last.and_then(|epoch| Moment::of(epoch).gradient);
        self.table.row(vec![
            name.to_owned(),
            if self.rules { record.rule.clone() } else { String::new() },
            record.status.name().to_owned(),
            epochs(run),
            last.map_or_else(absent, |epoch| show::share(epoch.test.accuracy)),
            growth.map_or_else(absent, show::scientific),
            gradient.map_or_else(absent, show::scientific),
            show::ago(&record.provenance.started, self.now),
        ]);
        if let Some(elsewhere) = &record.provenance.elsewhere {
            self.elsewhere.entry(elsewhere.by.clone()).or_default().push(name.to_owned());
        }
        if let Some(reason) = record.status.reason() {
            self.notes.push(format!("{name} was stopped: {reason}"));
        }
        self.running |= record.status == Status::Running && record.provenance.elsewhere.is_none();
    }

    fn broken(&mut self, name: &str, problem: &str) {
        self.table.row(vec![name, "", "unreadable"]);
        self.notes.push(format!("{name} cannot be read: {problem}"));
    }

    fn text(mut self) -> String {
        if self.running {
            let note = "A run that says running is at work, or was killed: the command that started it, with --resume, \
                        continues it.";
            self.notes.push(note.to_owned());
        }
        for (by, names) in &self.elsewhere {
            self.notes.push(format!("trained elsewhere, by {by}, and watched: {}", names.join(", ")));
        }
        let lines: String = self.notes.iter().map(|note| show::wrap(note, 2) + "\n").collect();
        format!(
            "{}\n‖g_L‖ is the gradient of a mean over {N} samples.\n{lines}",
            self.table.without_blanks().text()
        )
    }
}
