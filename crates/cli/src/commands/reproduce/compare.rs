//! What a study is held against, quantity by quantity.

use super::lines::{Known, Line};
use super::runs;
use super::state::Asked;
use crate::show;
use figures::published::{Value, published};
use record::{Measured, Run};

/// A study's table. Of a quick one, which is too small to be held against anything, ours alone.
pub(super) fn table(study: &str, asked: &[Asked], quick: bool) -> show::Table {
    let lines = match study {
        "main" => main(asked),
        "penalty" => penalty(asked),
        "deep" => rated(asked, published().deep.rows.iter().map(|row| (row.rule.as_str(), row.accuracy))),
        "toy-lq" => lq(asked),
        _ => return runs::table(asked),
    };
    let columns = if quick { 2 } else { 5 };
    let heading = ["", "ours", "published", "difference", "within its spread"];
    let mut table = show::Table::new(&heading[..columns], 1);
    for line in lines {
        let cells = line.cells();
        let row = [line.what, cells.ours, cells.published, cells.difference, cells.within];
        table.row(row.into_iter().take(columns).collect());
    }
    table
}

/// Runs of a rule that were found, by what else is asked of them.
fn of<'a>(
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

pub(super) fn accuracy(run: &Run) -> Option<f64> {
    run.last().map(|epoch| epoch.test.accuracy)
}

/// A quantity over runs; what a run does not have is left out.
fn line(what: String, ours: impl IntoIterator<Item = Option<f64>>, known: Known) -> Line {
    let all: Vec<Option<f64>> = ours.into_iter().collect();
    Line { what, runs: all.len(), ours: all.into_iter().flatten().collect(), said: None, known }
}

fn rated<'a>(asked: &[Asked], rows: impl Iterator<Item = (&'a str, Value)>) -> Vec<Line> {
    let of_rule = |(rule, value): (&str, Value)| {
        let ours = of(asked, rule, |a| !frozen(a)).map(accuracy);
        line(format!("accuracy, {rule}"), ours, Known::Value(value))
    };
    rows.map(of_rule).collect()
}

/// The cosine of a_l with p_l at the end of a run.
fn cosine(run: &Run, l: usize) -> Option<f64> {
    run.last()?.evaluation.cosine_paper.get(l).and_then(Measured::value)
}

fn main(asked: &[Asked]) -> Vec<Line> {
    let table = published();
    let mut lines = rated(asked, table.main.rows.iter().map(|row| (row.rule.as_str(), row.accuracy)));
    for row in &table.frozen.rows {
        let ours = of(asked, &row.rule, frozen).map(accuracy);
        lines.push(line(
            format!("accuracy, {} with frozen blocks", row.rule),
            ours,
            Known::Value(row.accuracy),
        ));
    }
    for row in &table.main.rows {
        let trained = || of(asked, &row.rule, |a| !frozen(a)).filter_map(Run::last);
        if let Some(hidden) = &row.hidden {
            let ours = trained().map(|e| e.evaluation.hidden.last().copied());
            lines.push(line(format!("‖h_L‖, {}", row.rule), ours, Known::Printed(hidden.clone())));
        }
        if let Some(gradient) = &row.gradient {
            let last = |e: &record::Epoch| {
                Some(e.evaluation.mean_gradient(e.evaluation.gradient.len().checked_sub(1)?, 128))
            };
            let ours = trained().map(last);
            lines.push(line(
                format!("‖g_L‖ (N = 128), {}", row.rule),
                ours,
                Known::Printed(gradient.clone()),
            ));
        }
    }
    // The figure's dfa is of another width; here stand those of this one.
    for row in table.cosines.iter().filter(|row| row.penalty == 0.0 && row.setting.contains("d=256")) {
        for (l, &mean) in row.by_block.iter().enumerate() {
            let ours = of(asked, &row.rule, |a| !frozen(a)).map(|run| cosine(run, l));
            let known = Known::Value(Value { mean, sd: None, text: None });
            lines.push(line(format!("cosine of a_{l} with p_{l}, {}", row.rule), ours, known));
        }
    }
    for row in &table.main.rows {
        let runs = || of(asked, &row.rule, |a| !frozen(a));
        let audit = |run: &Run| record::audit::Audit::read(&run.path).ok().flatten();
        let mut said: Vec<String> = runs().filter_map(audit).map(|audit| audit.verdict.words()).collect();
        said.sort();
        said.dedup();
        let said = match (runs().count(), said.is_empty()) {
            (0, _) => "*not run*".to_owned(),
            (_, true) => "*not audited*".to_owned(),
            _ => said.join("; "),
        };
        let (what, known) = (format!("verdict, {}", row.rule), Known::Words(row.verdict.clone()));
        lines.push(Line { what, runs: runs().count(), ours: Vec::new(), said: Some(said), known });
    }
    lines
}

fn penalty(asked: &[Asked]) -> Vec<Line> {
    let capacity = &published().penalty.capacity;
    let at = |lambda: f64| move |a: &Asked| a.spec.modifiers.penalty == lambda && !frozen(a);
    let mut lines = Vec::new();
    for row in &capacity.rows {
        for (lambda, value) in [(0.0, row.without), (capacity.penalty, row.with)] {
            let ours = of(asked, &row.rule, at(lambda)).map(accuracy);
            lines.push(line(format!("accuracy, {}, λ = {lambda}", row.rule), ours, Known::Value(value)));
        }
    }
    for lambda in [1e-4, 1e-3] {
        let ours = of(asked, "dfa", at(lambda)).map(accuracy);
        lines.push(line(format!("accuracy, dfa, λ = {lambda}"), ours, Known::Nothing));
    }
    for row in published().cosines.iter().filter(|row| row.penalty > 0.0) {
        for (l, &mean) in row.by_block.iter().enumerate() {
            let ours = of(asked, &row.rule, at(row.penalty)).map(|run| cosine(run, l));
            let known = Known::Value(Value { mean, sd: None, text: None });
            let what = format!("cosine of a_{l} with p_{l}, {}, λ = {}", row.rule, row.penalty);
            lines.push(line(what, ours, known));
        }
    }
    lines
}

/// Over the layers, the mean cosine of a_l with the costate at h_l.
fn lq(asked: &[Asked]) -> Vec<Line> {
    let of_rule = |row: &figures::published::LqRow| {
        let mean = |run: &Run| {
            let all = &run.last()?.evaluation.cosine_paper;
            let values: Option<Vec<f64>> = all.iter().map(Measured::value).collect();
            values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
        };
        let ours = of(asked, &row.rule, |_| true).map(mean);
        let known = Known::Value(Value { mean: row.cosine, sd: None, text: None });
        line(format!("cosine with the costate, {}", row.rule), ours, known)
    };
    published().lq.rows.iter().map(of_rule).collect()
}
