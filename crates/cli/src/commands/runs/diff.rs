//! `creditscope runs diff`.

use super::outcome::{N, numerics};
use super::read;
use super::recipe::{completed, differences};
use super::same::{Likeness, likeness};
use crate::failure::Failure;
use crate::show::{self, Table};
use lab::{Identity, Schema};
use protocol::Moment;
use record::{Run, Status};
use std::path::Path;

pub(super) fn diff(a: &Path, b: &Path) -> Result<(), Failure> {
    let a = completed(read(a)?);
    let b = completed(read(b)?);
    show::print(&format!("A  {}\nB  {}\n\n", record::escape::path(&a.path), record::escape::path(&b.path)));
    let facts = facts(&a, &b);
    if facts.is_empty() {
        show::print("Nothing differs in recipe, data, program, machine and state.\n");
    } else {
        let mut table = Table::new(&["differs", "A", "B"], 3);
        facts.into_iter().for_each(|[name, a, b]| table.row(vec![name, a, b]));
        show::print(&table.text());
    }
    show::print(&format!("\n{}", values(&a, &b)));
    let (words, broken) = verdict(&a, &b);
    show::print(&words);
    if broken { Err(Failure::DidNotHold) } else { Ok(()) }
}

/// Everything about the two runs that is not equal: its name, A's, B's.
fn facts(a: &Run, b: &Run) -> Vec<[String; 3]> {
    let text = |value: Option<&toml::Value>| value.map_or_else(|| "–".to_owned(), ToString::to_string);
    let keys = differences(a, b);
    let mut facts: Vec<[String; 3]> =
        keys.iter().map(|(key, a, b)| [(*key).to_owned(), text(*a), text(*b)]).collect();
    let x = &a.record.provenance;
    let y = &b.record.provenance;
    // The hash follows from the keys, so it says something only where they are equal.
    if keys.is_empty() {
        facts.push(["recipe hash".to_owned(), short(&x.recipe_hash), short(&y.recipe_hash)]);
    }
    let machine = |run: &Run| {
        let machine = &run.record.provenance.machine;
        format!("{}, {} cores, {}", machine.cpu, machine.cores, machine.system)
    };
    facts.extend([
        ["data hash".to_owned(), short(&x.data_hash), short(&y.data_hash)],
        ["program".to_owned(), x.version.clone(), y.version.clone()],
        ["numerics".to_owned(), numerics(&x.numerics), numerics(&y.numerics)],
        ["machine".to_owned(), machine(a), machine(b)],
        ["threads".to_owned(), x.threads.to_string(), y.threads.to_string()],
        ["state".to_owned(), outcome(&a.record.status), outcome(&b.record.status)],
        ["epochs".to_owned(), epoch(a), epoch(b)],
    ]);
    facts.retain(|[_, a, b]| a != b);
    facts
}

/// Enough of a hash to distinguish two at a glance.
fn short(hash: &str) -> String {
    hash.chars().take(16).collect()
}

fn outcome(status: &Status) -> String {
    match status {
        Status::Stopped { reason, .. } => format!("stopped: {reason}"),
        Status::Halted { check, .. } => format!("halted: {check} fired"),
        status => status.name().to_owned(),
    }
}

fn epoch(run: &Run) -> String {
    run.last().map_or_else(|| "–".to_owned(), |last| last.epoch.to_string())
}

/// The last measurements side by side.
fn values(a: &Run, b: &Run) -> String {
    let (Some(last_a), Some(last_b)) = (a.last(), b.last()) else {
        return "There are no values to compare: a run has no epoch yet.\n".to_owned();
    };
    let heading = [format!("A, epoch {}", last_a.epoch), format!("B, epoch {}", last_b.epoch)];
    let mut table = Table::new(&["value", &heading[0], &heading[1], "B − A", "B / A"], 1);
    let mut row = |name: &str, values: (Option<f64>, Option<f64>), form: fn(f64) -> String, ratio: bool| {
        let (Some(x), Some(y)) = values else { return };
        let change = y - x;
        let sign = if change > 0.0 { "+" } else { "" };
        let ratio = if ratio { show::scientific(y / x) } else { String::new() };
        table.row(vec![name.to_owned(), form(x), form(y), format!("{sign}{}", form(change)), ratio]);
    };
    let accuracy: fn(f64) -> String = |x| format!("{x:.4}");
    let train = (last_a.train, last_b.train);
    let e = Moment::of(last_a);
    let f = Moment::of(last_b);
    row("test accuracy", (Some(last_a.test.accuracy), Some(last_b.test.accuracy)), accuracy, false);
    row("test loss", (Some(last_a.test.loss), Some(last_b.test.loss)), show::scientific, false);
    row("train accuracy", (train.0.map(|t| t.accuracy), train.1.map(|t| t.accuracy)), accuracy, false);
    row("train loss", (train.0.map(|t| t.loss), train.1.map(|t| t.loss)), show::scientific, false);
    row("growth", (e.growth, f.growth), show::scientific, true);
    row(&format!("‖g_L‖ (N={N})"), (e.gradient, f.gradient), show::scientific, true);
    table.text()
}

/// What the two results must be to one another and are, and whether a promise is broken.
fn verdict(a: &Run, b: &Run) -> (String, bool) {
    let x = &a.record.provenance;
    let y = &b.record.provenance;
    let same_training = match (Identity::of_record(&a.recipe), Identity::of_record(&b.recipe)) {
        (Ok(a), Ok(b)) => a == b,
        // What this program cannot compare key by key is the same only where every key is.
        _ => a.recipe == b.recipe,
    };
    if !same_training || x.data_hash != y.data_hash || a.epochs.is_empty() || b.epochs.is_empty() {
        return (String::new(), false);
    }
    // Keys that end a run early change no measurement before its end.
    let is_measured_by = |key: &str| {
        let trains = Schema::today().find(key).is_some_and(|key| key.steers_training);
        !trains && !matches!(key, "name" | "train.stop_after" | "audit.stop_on")
    };
    let measured_alike = !differences(a, b).iter().any(|(key, ..)| is_measured_by(key));
    let what = if measured_alike { "results" } else { "losses, accuracies and drifts" };
    // Nothing is known of the arithmetic of other programs.
    if x.elsewhere.is_some() || y.elsewhere.is_some() {
        return (String::new(), false);
    }
    let promised = x.numerics == y.numerics && x.machine.cpu == y.machine.cpu;
    let duty = if promised {
        format!("No difference in training and data: the {what} must be equal to the byte")
    } else {
        format!(
            "No difference in training and data, but numerics or processor differ, so the {what} need not be equal to the byte"
        )
    };
    let (found, equal) = match likeness(a, b, measured_alike) {
        Likeness::Equal { .. } if a.epochs.len() == b.epochs.len() => ("and are.".to_owned(), true),
        Likeness::Equal { until } => (format!("and are as far as both go, to epoch {until}."), true),
        Likeness::Different { place } => (format!("and are NOT: they differ first in {place}."), false),
    };
    (format!("\n{duty}, {found}\n"), promised && !equal)
}
