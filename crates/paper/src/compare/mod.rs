//! Compares our runs of a study with the published values, quantity by quantity.

mod asked;
mod deviation;
mod lines;
mod main_study;
pub mod markdown;
mod overview;
mod penalty_study;
mod runs;

pub use asked::{Asked, find, folders, keep, kept};
pub use overview::{Overview, overview};

use crate::published::{LqRow, Value, published};
use crate::study::Study;
use lab::RunSpec;
use lines::{Kind, Known, Line, mean};
use nn::Architecture;
use protocol::{base_name, grouped};
use record::{Epoch, Measured, Run, Status};
use report::show::Table;

/// A study beside what was published of it.
pub struct Comparison {
    /// The table.
    pub table: Table,
    cells: Vec<Cell>,
}

/// A published value and how ours compares with it.
struct Cell {
    kind: Kind,
    rule: String,
    what: String,
    /// Whether a run of it was found.
    run: bool,
    /// `None` if it was not compared.
    deviation: Option<f64>,
    holds: Option<bool>,
}

impl Comparison {
    /// How many published values were compared.
    pub fn compared(&self) -> usize {
        self.cells.iter().filter(|cell| cell.holds.is_some()).count()
    }

    /// How many of these hold.
    pub fn held(&self) -> usize {
        self.cells.iter().filter(|cell| cell.holds == Some(true)).count()
    }

    /// How many published values hold, in a sentence; empty if none was compared.
    pub fn sentence(&self) -> String {
        match self.compared() {
            0 => String::new(),
            all => format!("{} of {all} published values that were compared hold.", self.held()),
        }
    }
}

/// When a value holds, in a sentence.
pub const RULE: &str = "A value holds within twice the published spread, or twice ours if none was published; norms by their \
                        logarithms, rough values within a factor of 2, first epochs in order of size within 2.";

/// A study's table. A `quick` study is too small to compare, so its table has our values alone.
pub fn compare(study: &str, asked: &[Asked], quick: bool) -> Comparison {
    let lines = match study {
        "main" => main_study::lines(asked),
        "unclipped" if !quick => {
            let main = main_kind();
            main_study::lines(&asked.iter().filter(|a| kind(&a.spec) == main).cloned().collect::<Vec<_>>())
        }
        "mechanism" => mechanism(asked),
        "penalty" => penalty_study::lines(asked),
        "wide" => cosines("wide", asked),
        "deep" => deep(asked),
        "toy-lq" => lq(asked),
        _ => return Comparison { table: runs::table(asked), cells: Vec::new() },
    };
    let columns = if quick { 2 } else { 4 };
    let heading = ["", "ours (seeds)", "published", "difference"];
    let mut table = Table::new(&heading[..columns], 1).wrapping();
    let mut cells = Vec::new();
    for line in lines {
        table.row([line.what.clone()].into_iter().chain(line.cells()).take(columns).collect());
        if !quick && !matches!(line.known, Known::Nothing) {
            let (deviation, holds) = (line.deviation(), line.holds());
            let Line { kind, rule, what, runs, .. } = line;
            cells.push(Cell { kind, rule, what, run: runs > 0, deviation, holds });
        }
    }
    Comparison { table, cells }
}

/// The network and the length of a run.
fn kind(spec: &RunSpec) -> (String, usize, usize, u64) {
    let shape = spec.net.shape();
    (spec.net_name.clone(), shape.width, shape.blocks, spec.epochs)
}

/// Those of the main study, all of whose runs are alike in this.
fn main_kind() -> (String, usize, usize, u64) {
    let study = Study::named("main").expect("there is one");
    let specs =
        study.recipe(false).and_then(|recipe| recipe.runs()).expect("the recipe is part of the program");
    kind(&specs[0])
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
fn line(
    (kind, rule): (Kind, &str),
    what: String,
    ours: impl IntoIterator<Item = Option<f64>>,
    known: Known,
) -> Line {
    let all: Vec<Option<f64>> = ours.into_iter().collect();
    let ours = all.iter().flatten().copied().collect();
    Line { kind, rule: rule.to_owned(), what, runs: all.len(), ours, unreliable: 0, said: None, known }
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
        let ours = runs_of(asked, rule, |a| !frozen(a)).map(accuracy);
        line((Kind::Accuracy, rule), format!("accuracy, {rule}"), ours, known)
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
            lines.push(cosine(&row.rule, what, runs, l, mean));
        }
    }
    lines
}

/// The cosine of a_l with p_l at the end of runs.
fn cosine<'a>(
    rule: &str,
    what: String,
    runs: impl Iterator<Item = &'a Run>,
    l: usize,
    published: f64,
) -> Line {
    let at_end = |run: &Run| end(run).and_then(|epoch| epoch.evaluation.cosine_at_input().get(l).copied());
    let found: Vec<Option<Measured>> = runs.map(at_end).collect();
    let is_unreliable = |m: &&Measured| m.value().is_some() && m.defined().is_none();
    let unreliable = found.iter().flatten().filter(is_unreliable).count();
    let known = Known::Value(Value { mean: published, sd: None, text: None });
    let values = found.iter().map(|m| m.as_ref().and_then(Measured::value));
    Line { unreliable, ..line((Kind::Cosine, rule), what, values, known) }
}

/// ‖h_L‖ after three epochs with random labels or without the skip connection, then accuracy and growth under each penalty.
fn mechanism(asked: &[Asked]) -> Vec<Line> {
    let known = &published().mechanism;
    let norm = |run: &Run| end(run)?.evaluation.hidden().last().copied();
    let norms = |what: &str, wanted: &dyn Fn(&Asked) -> bool, known: f64| {
        let runs = asked.iter().filter(|a| wanted(a)).filter_map(|a| a.run.as_ref());
        let what = format!("‖h_L‖, dfa, {what}");
        line((Kind::State, "dfa"), what, runs.map(norm), Known::Norms(vec![known]))
    };
    let random = |a: &Asked| a.spec.modifiers.random_targets;
    let no_skip = |a: &Asked| !a.spec.net.skip(0);
    let mut lines = vec![
        norms("random targets", &random, known.random_targets),
        norms("no skip", &no_skip, known.no_skip),
    ];
    for (_, seeds) in grouped(asked, |a| base_name(&a.spec.id, a.spec.seed)) {
        let runs = seeds.iter().filter(|a| !random(a) && !no_skip(a)).filter_map(|a| a.run.as_ref());
        let runs: Vec<&Run> = runs.collect();
        if seeds.iter().any(|a| a.spec.modifiers.penalty > 0.0) {
            let spec = &seeds[0].spec;
            let rule = spec.rule.name.as_str();
            let name = format!("{rule}, λ={}", spec.modifiers.penalty);
            let growth = |run: &&Run| end(run).map(|epoch| epoch.evaluation.growth);
            let of = |kind, what: &str, ours: Vec<Option<f64>>| {
                line((kind, rule), format!("{what}, {name}"), ours, Known::Nothing)
            };
            lines.push(of(Kind::Accuracy, "accuracy", runs.iter().map(|run| accuracy(run)).collect()));
            lines.push(of(Kind::State, "growth", runs.iter().map(growth).collect()));
        }
    }
    lines
}

/// Accuracies, and the mean cosine over layers, published of seed 42.
fn deep(asked: &[Asked]) -> Vec<Line> {
    let rows = &published().deep.rows;
    let mut lines = rated(asked, rows.iter().map(|row| (row.rule.as_str(), row.accuracy)));
    for row in rows {
        let Some(cosine) = row.cosine else { continue };
        let known = Known::Value(Value { mean: cosine, sd: None, text: None });
        let ours = runs_of(asked, &row.rule, |a| !frozen(a)).map(over_layers);
        let what = format!("cosine, mean over l, {}", row.rule);
        lines.push(line((Kind::Cosine, &row.rule), what, ours, known));
    }
    lines
}

/// The mean over layers of the cosine of a_l with p_l at the end of a run.
fn over_layers(run: &Run) -> Option<f64> {
    let all = end(run)?.evaluation.cosine_at_input();
    let values: Option<Vec<f64>> = all.iter().map(Measured::value).collect();
    mean(&values?)
}

/// The mean over layers of the cosine of a_l with the costate at h_l.
fn lq(asked: &[Asked]) -> Vec<Line> {
    let of_rule = |row: &LqRow| {
        let ours = runs_of(asked, &row.rule, |_| true).map(over_layers);
        let known = Known::Value(row.cosine);
        line((Kind::Cosine, &row.rule), format!("cosine with the costate, {}", row.rule), ours, known)
    };
    published().lq.rows.iter().map(of_rule).collect()
}
