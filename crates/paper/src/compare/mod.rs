//! Compares our runs of a study with the published values, quantity by quantity.

mod asked;
mod lines;
mod main_study;
pub mod markdown;
mod penalty_study;
mod runs;

pub use asked::{Asked, find, folders, keep, kept};

use crate::published::{LqRow, Value, published};
use lines::{Known, Line, mean};
use record::{Epoch, Measured, Run, Status};
use report::show::Table;

/// A study's table. A `quick` study is too small to compare, so its table has our values alone.
pub fn table(study: &str, asked: &[Asked], quick: bool) -> Table {
    let lines = match study {
        "main" => main_study::lines(asked),
        "penalty" => penalty_study::lines(asked),
        "wide" => cosines("wide", asked),
        "deep" => rated(asked, published().deep.rows.iter().map(|row| (row.rule.as_str(), row.accuracy))),
        "toy-lq" => lq(asked),
        _ => return runs::table(asked),
    };
    let columns = if quick { 2 } else { 4 };
    let heading = ["", "ours (seeds)", "published", "difference"];
    let mut table = Table::new(&heading[..columns], 1).wrapping();
    for line in lines {
        let cells = line.cells();
        table.row([line.what].into_iter().chain(cells).take(columns).collect());
    }
    table
}

/// The runs of a rule that were found and are wanted.
fn runs_of<'a>(
    asked: &'a [Asked],
    rule: &'a str,
    wanted: impl Fn(&Asked) -> bool + 'a,
) -> impl Iterator<Item = &'a Run> {
    let chosen = move |a: &&Asked| a.spec.rule.name == rule && wanted(a);
    asked.iter().filter(chosen).filter_map(|a| a.run.as_ref())
}

fn frozen(asked: &Asked) -> bool {
    asked.spec.modifiers.trainable_last == Some(0)
}

/// The last epoch of a run that did not fail.
fn end(run: &Run) -> Option<&Epoch> {
    run.last().filter(|_| !matches!(run.record.status, Status::Stopped { .. }))
}

fn accuracy(run: &Run) -> Option<f64> {
    end(run).map(|epoch| epoch.test.accuracy)
}

/// A quantity over runs; runs without a value are left out.
fn line(what: String, ours: impl IntoIterator<Item = Option<f64>>, known: Known) -> Line {
    let all: Vec<Option<f64>> = ours.into_iter().collect();
    let ours = all.iter().flatten().copied().collect();
    Line { what, runs: all.len(), ours, unreliable: 0, said: None, known }
}

/// Accuracies of rules with a published one, then of the other rules of the study; frozen runs are left out.
fn rated<'a>(asked: &'a [Asked], rows: impl Iterator<Item = (&'a str, Value)>) -> Vec<Line> {
    let mut known: Vec<(&str, Known)> = rows.map(|(rule, value)| (rule, Known::Value(value))).collect();
    for rule in asked.iter().map(|a| a.spec.rule.name.as_str()) {
        if !known.iter().any(|(name, _)| *name == rule) {
            known.push((rule, Known::Nothing));
        }
    }
    let of_rule = |(rule, known): (&str, Known)| {
        line(format!("accuracy, {rule}"), runs_of(asked, rule, |a| !frozen(a)).map(accuracy), known)
    };
    known.into_iter().map(of_rule).collect()
}

/// Cosines by block, for those published of this study.
fn cosines(study: &str, asked: &[Asked]) -> Vec<Line> {
    let mut lines = Vec::new();
    for row in published().cosines.iter().filter(|row| row.study == study) {
        let penalty = if row.penalty > 0.0 { format!(", λ={}", row.penalty) } else { String::new() };
        for (l, &mean) in row.by_block.iter().enumerate() {
            let what = format!("cos(a_{l}, p_{l}), {}{penalty}", row.rule);
            let is_trained = |a: &Asked| a.spec.modifiers.penalty == row.penalty && !frozen(a);
            let runs = runs_of(asked, &row.rule, is_trained);
            lines.push(cosine(what, runs, l, mean));
        }
    }
    lines
}

/// The cosine of a_l with p_l at the end of runs.
fn cosine<'a>(what: String, runs: impl Iterator<Item = &'a Run>, l: usize, published: f64) -> Line {
    let at_end = |run: &Run| end(run).and_then(|epoch| epoch.evaluation.cosine_at_input().get(l).copied());
    let found: Vec<Option<Measured>> = runs.map(at_end).collect();
    let is_unreliable = |m: &&Measured| m.value().is_some() && m.defined().is_none();
    let unreliable = found.iter().flatten().filter(is_unreliable).count();
    let known = Known::Value(Value { mean: published, sd: None, text: None });
    let values = found.iter().map(|m| m.as_ref().and_then(Measured::value));
    Line { unreliable, ..line(what, values, known) }
}

/// The mean over layers of the cosine of a_l with the costate at h_l.
fn lq(asked: &[Asked]) -> Vec<Line> {
    let of_rule = |row: &LqRow| {
        let over_layers = |run: &Run| {
            let all = end(run)?.evaluation.cosine_at_input();
            let values: Option<Vec<f64>> = all.iter().map(Measured::value).collect();
            mean(&values?)
        };
        let ours = runs_of(asked, &row.rule, |_| true).map(over_layers);
        let known = Known::Value(Value { mean: row.cosine, sd: None, text: None });
        line(format!("cosine with the costate, {}", row.rule), ours, known)
    };
    published().lq.rows.iter().map(of_rule).collect()
}
