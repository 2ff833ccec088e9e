//! A table of runs, a line each, and beneath it what needs more words.

use super::Found;
use super::outcome::{N, epochs, last_gradient, reason, state};
use crate::show::{self, Table};
use record::{Run, Status};
use std::path::Path;
use std::time::SystemTime;

/// Runs of one folder, by their names.
pub(crate) fn table(runs: &[Run]) -> String {
    let mut rows = Rows::new();
    runs.iter().for_each(|run| rows.run(&run.record.id, run));
    rows.text()
}

/// All runs found at or below `root`, named by their path from there.
pub(super) fn found_table(root: &Path, found: &[Found]) -> String {
    let mut rows = Rows::new();
    for Found { path, run } in found {
        let below = path.strip_prefix(root).unwrap_or(path).display().to_string();
        match run {
            Ok(run) if below.is_empty() => rows.run(&run.record.id, run),
            Ok(run) => rows.run(&below, run),
            Err(problem) if below.is_empty() => rows.broken(&path.display().to_string(), problem),
            Err(problem) => rows.broken(&below, problem),
        }
    }
    rows.text()
}

struct Rows {
    table: Table,
    notes: Vec<String>,
    running: bool,
    now: SystemTime,
}

impl Rows {
    fn new() -> Self {
        let gradient = format!("‖g_L‖ (N={N})");
        let heading = ["run", "rule", "state", "seed", "epoch", "test", "growth", &gradient, "started"];
        Self { table: Table::new(&heading, 3), notes: Vec::new(), running: false, now: SystemTime::now() }
    }

    fn run(&mut self, name: &str, run: &Run) {
        let record = &run.record;
        let absent = || "–".to_owned();
        let last = run.last();
        let growth = last.map(|epoch| epoch.evaluation.growth);
        let gradient = last.and_then(|epoch| last_gradient(&epoch.evaluation));
        self.table.row(vec![
            name.to_owned(),
            record.rule.clone(),
            state(&record.status).to_owned(),
            record.provenance.seed.to_string(),
            epochs(run),
            last.map_or_else(absent, |epoch| show::share(epoch.test.accuracy)),
            growth.map_or_else(absent, show::scientific),
            gradient.map_or_else(absent, show::scientific),
            show::ago(&record.provenance.started, self.now),
        ]);
        if let Some(reason) = reason(&record.status) {
            self.notes.push(format!("{name} was stopped: {reason}"));
        }
        self.running |= record.status == Status::Running;
    }

    fn broken(&mut self, name: &str, problem: &str) {
        self.table.row(vec![name.to_owned(), "–".to_owned(), "unreadable".to_owned()]);
        self.notes.push(format!("{name} cannot be read: {problem}"));
    }

    fn text(mut self) -> String {
        if self.running {
            let note = "A run that says running is at work, or was killed at it: the command that started it, with \
                        --resume, continues it.";
            self.notes.push(note.to_owned());
        }
        let mut text = self.table.text();
        if !self.notes.is_empty() {
            text.push('\n');
        }
        for note in self.notes {
            text.push_str(&note);
            text.push('\n');
        }
        text
    }
}
