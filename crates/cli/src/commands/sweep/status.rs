//! `creditscope sweep status`: what is done and what is not, and the one command that mends it.

use super::place::{Place, slurm};
use super::{json, reasons};
use crate::args::Asking;
use crate::failure::Failure;
use crate::show::{self, Table};
use protocol::gathered;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use sweep::{Report, RunState, State, Wait, survey};

/// Rows of the table, seeds with a column each, groups of notes, and names in a note; more would push the end off the screen.
const ROWS: usize = 40;
const SEEDS: usize = 6;
const NOTES: usize = 8;
const NAMES: usize = 3;

pub(super) fn run(place: &Place, as_json: bool, asking: Asking) -> Result<(), Failure> {
    let report = survey(&place.folder, &place.manifest, &slurm(asking))?;
    if as_json {
        show::print(&(json::report(place, &report) + "\n"));
    } else {
        show::print(&page(place, &report));
    }
    if report.all_done() { Ok(()) } else { Err(Failure::DidNotHold) }
}

/// The whole page.
fn page(place: &Place, report: &Report) -> String {
    let mut text = format!("{}\n\n{}", sums(report), table(&report.runs));
    let notes = notes(report);
    if !notes.is_empty() {
        text.push_str(&format!("\n{notes}"));
    }
    if let Some(trouble) = &report.trouble {
        text.push_str(&(show::wrap(trouble, 2) + "\n"));
    }
    let (words, command) = next(place, report);
    format!("{text}\n{words}:  {command}\n")
}

/// `60 runs: 41 done, 12 running, 7 queued.`
pub(super) fn sums(report: &Report) -> String {
    let counted = State::WORDS.iter().zip(report.counts()).filter(|(_, n)| *n > 0);
    let parts: Vec<String> = counted.map(|(word, n)| format!("{} {word}", show::count(n as u64))).collect();
    format!("{}: {}.", crate::commands::run::plural(report.runs.len()), parts.join(", "))
}

/// What to do next, in words and as a command.
pub(crate) fn next(place: &Place, report: &Report) -> (&'static str, String) {
    let given = place.given();
    let is = |word: &str| report.runs.iter().any(|run| run.state.word() == word);
    if report.all_done() {
        ("All is done. Look closer", format!("creditscope audit {given}"))
    } else if is("unknown") {
        ("Not everything is known. Ask again", format!("creditscope sweep status {given}"))
    } else if report.submissions.is_empty() {
        ("Submit them", format!("creditscope sweep submit {given}"))
    } else if report.runs.iter().any(|run| run.state.is_mendable()) {
        ("Submit what is missing", format!("creditscope sweep resume {given}"))
    } else {
        ("Nothing to mend. Ask again later", format!("creditscope sweep status {given}"))
    }
}

/// A row for each rule with its variant. A column for each seed, or counts where there are many.
fn table(runs: &[RunState]) -> String {
    let mut variants: Vec<(&str, Vec<&RunState>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for run in runs {
        let suffix = format!("-s{}", run.seed);
        let variant = run.id.strip_suffix(&suffix).unwrap_or(&run.id);
        let place = *places.entry(variant).or_insert_with(|| {
            variants.push((variant, Vec::new()));
            variants.len() - 1
        });
        variants[place].1.push(run);
    }
    let seeds: BTreeSet<u64> = runs.iter().map(|run| run.seed).collect();
    let hidden = variants.len().saturating_sub(ROWS);
    let more =
        if hidden == 0 { String::new() } else { format!("… and {} more\n", show::count(hidden as u64)) };
    variants.truncate(ROWS);
    let by_seed = seeds.len() <= SEEDS;
    let heading: Vec<String> = if by_seed {
        seeds.iter().map(|seed| format!("seed {seed}")).collect()
    } else {
        State::WORDS.iter().map(|word| (*word).to_owned()).collect()
    };
    let heading: Vec<&str> = std::iter::once("run").chain(heading.iter().map(String::as_str)).collect();
    let mut table = Table::new(&heading, if by_seed { heading.len() } else { 1 });
    for (variant, runs) in variants {
        let mut cells = vec![variant.to_owned()];
        if by_seed {
            let of = |seed: &u64| {
                runs.iter().find(|run| run.seed == *seed).map_or_else(String::new, |run| cell(run))
            };
            cells.extend(seeds.iter().map(of));
        } else {
            let count = |word: &&str| runs.iter().filter(|run| run.state.word() == *word).count();
            let shown = |n: usize| if n == 0 { String::new() } else { n.to_string() };
            cells.extend(State::WORDS.iter().map(|word| shown(count(word))));
        }
        table.row(cells);
    }
    if by_seed {
        format!("{}{more}", table.text())
    } else {
        format!("{}{more}", table.without_blanks().text())
    }
}

/// `done`, `41/100`, `queued`.
fn cell(run: &RunState) -> String {
    match &run.state {
        State::Running { epoch, .. } => {
            epoch.map_or_else(|| "running".to_owned(), |epoch| format!("{epoch}/{}", run.epochs))
        }
        State::Done { stopped: Some(_) } => "stopped".to_owned(),
        State::NotSubmitted => "–".to_owned(),
        state => state.word().to_owned(),
    }
}

/// What needs more words than a cell, runs with the same words together.
fn notes(report: &Report) -> String {
    let groups = gathered(report.runs.iter().filter_map(|run| Some((words(run)?, run.id.as_str()))));
    let hidden = groups.len().saturating_sub(NOTES);
    let line =
        |(words, names): &(String, Vec<&str>)| show::wrap(&format!("{}: {words}", together(names)), 2) + "\n";
    let more =
        if hidden == 0 { String::new() } else { format!("… and {hidden} more notes; --json has all\n") };
    groups.iter().take(NOTES).map(line).collect::<String>() + &more
}

/// `bp-s4, bp-s5, bp-frozen-s1 and 12 more`.
pub(crate) fn together(names: &[&str]) -> String {
    let more = names.len().saturating_sub(NAMES);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    names.iter().take(NAMES).copied().collect::<Vec<_>>().join(", ") + &more
}

/// The words of a run's state, if they say more than its cell.
pub(crate) fn words(run: &RunState) -> Option<String> {
    Some(match &run.state {
        State::Done { stopped: None } | State::NotSubmitted | State::Unknown => return None,
        State::Done { stopped: Some(reason) } => format!("stopped for good: {reason}"),
        State::Running { node, seen, silent: true, .. } => format!(
            "no sign of life on {node} for {}, though its job is there: look at the node, or cancel and resume",
            age(*seen)
        ),
        State::Running { node, seen, .. } => format!("at work on {node}, last sign of life {}", ago(*seen)),
        State::Queued { why: Wait::Job(reason) } => format!("queued: {}", reasons::in_words(reason)),
        State::Queued { why: Wait::Turn(node) } => {
            format!("queued: its shard is at work on {node}, on other runs")
        }
        State::Interrupted { .. } => "asked to stop, and saved; its job is gone".to_owned(),
        State::Failed { error, node } => {
            format!("failed on {node}: {}", error.lines().next().unwrap_or_default())
        }
        State::Killed { node, memory_asked, memory_used, .. } => {
            let used = memory_used.map(|bytes| format!("at least {} of memory used", show::bytes(bytes)));
            let asked =
                memory_asked.map(|mb| format!("{} asked for", show::bytes(mb.saturating_mul(1 << 20))));
            let memory: Vec<String> = [used, asked].into_iter().flatten().collect();
            let memory = if memory.is_empty() { String::new() } else { format!(" ({})", memory.join(", ")) };
            format!("killed on {node}: started, no end, and its job is gone{memory}")
        }
        State::Lost => "lost: not begun, and the queue does not know its job".to_owned(),
    })
}

/// Coarse, so that the runs of a node share their words.
pub(crate) fn ago(time: Duration) -> String {
    match time.as_secs() / 60 {
        0 => "less than a minute ago".to_owned(),
        minutes => format!("{minutes} min ago"),
    }
}

/// `40 s`, `12 min`.
fn age(time: Duration) -> String {
    show::duration(Duration::from_secs(time.as_secs()))
}
