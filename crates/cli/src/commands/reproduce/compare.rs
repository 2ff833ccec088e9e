//! What a study is held against, quantity by quantity.

use super::lines::{Known, Line};
use super::runs;
use super::state::Asked;
use crate::show;
use figures::published::{Printed, Value, published};
use record::audit::{Audit, CheckId, Outcome, Verdict};
use record::{Epoch, Measured, Run, Status};

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

/// The last epoch of a run that did not break off.
pub(super) fn end(run: &Run) -> Option<&Epoch> {
    run.last().filter(|_| !matches!(run.record.status, Status::Stopped { .. }))
}

pub(super) fn accuracy(run: &Run) -> Option<f64> {
    end(run).map(|epoch| epoch.test.accuracy)
}

/// A quantity over runs; what a run does not have is left out.
fn line(what: String, ours: impl IntoIterator<Item = Option<f64>>, known: Known) -> Line {
    let all: Vec<Option<f64>> = ours.into_iter().collect();
    let ours = all.iter().flatten().copied().collect();
    Line { what, runs: all.len(), ours, unreliable: 0, said: None, known }
}

fn rated<'a>(asked: &[Asked], rows: impl Iterator<Item = (&'a str, Value)>) -> Vec<Line> {
    let of_rule = |(rule, value): (&str, Value)| {
        let ours = of(asked, rule, |a| !frozen(a)).map(accuracy);
        line(format!("accuracy, {rule}"), ours, Known::Value(value))
    };
    rows.map(of_rule).collect()
}

/// The cosine of a_l with p_l at the end of runs.
fn cosine<'a>(what: String, runs: impl Iterator<Item = &'a Run>, l: usize, published: f64) -> Line {
    let at = |run: &Run| end(run).and_then(|epoch| epoch.evaluation.cosine_paper.get(l).copied());
    let found: Vec<Option<Measured>> = runs.map(at).collect();
    let doubtful = |m: &&Measured| m.value().is_some() && m.defined().is_none();
    let unreliable = found.iter().flatten().filter(doubtful).count();
    let known = Known::Value(Value { mean: published, sd: None, text: None });
    let values = found.iter().map(|m| m.as_ref().and_then(Measured::value));
    Line { unreliable, ..line(what, values, known) }
}

fn main(asked: &[Asked]) -> Vec<Line> {
    let table = published();
    let mut lines = rated(asked, table.main.rows.iter().map(|row| (row.rule.as_str(), row.accuracy)));
    for row in &table.frozen.rows {
        let ours = of(asked, &row.rule, frozen).map(accuracy);
        let known = match row.about {
            true => {
                let (text, at) = (format!("about {}", row.accuracy.mean), Some(row.accuracy.mean));
                Known::Printed(Printed { text, low: at, high: at })
            }
            false => Known::Value(row.accuracy),
        };
        lines.push(line(format!("accuracy, {} with frozen blocks", row.rule), ours, known));
    }
    for row in &table.main.rows {
        let trained = || of(asked, &row.rule, |a| !frozen(a)).map(end);
        if let Some(hidden) = &row.hidden {
            let ours = trained().map(|e| e?.evaluation.hidden.last().copied());
            lines.push(line(format!("‖h_L‖, {}", row.rule), ours, Known::Printed(hidden.clone())));
        }
        if let Some(gradient) = &row.gradient {
            let last = |e: Option<&Epoch>| {
                let seen = &e?.evaluation;
                Some(seen.mean_gradient(seen.gradient.len().checked_sub(1)?, 128))
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
            let what = format!("cosine of a_{l} with p_{l}, {}", row.rule);
            lines.push(cosine(what, of(asked, &row.rule, |a| !frozen(a)), l, mean));
        }
    }
    for row in &table.main.rows {
        let trained = |a: &&Asked| a.spec.rule.name == row.rule && !frozen(a) && a.run.is_some();
        let runs = asked.iter().filter(trained).count();
        let audits = asked.iter().filter(trained).filter_map(|a| a.audit.as_ref());
        let said = match runs {
            0 => "*not run*".to_owned(),
            _ => verdicts(audits.map(verdict).collect()).unwrap_or_else(|| "*not audited*".to_owned()),
        };
        let (what, known) = (format!("verdict, {}", row.rule), Known::Words(row.verdict.clone()));
        lines.push(Line { what, runs, ours: Vec::new(), unreliable: 0, said: Some(said), known });
    }
    lines
}

/// What all seeds say, or how many of them say what; `None` where nobody says anything.
fn verdicts(mut said: Vec<String>) -> Option<String> {
    said.sort();
    let seeds = said.len();
    let groups: Vec<&[String]> = said.chunk_by(|a, b| a == b).collect();
    match groups[..] {
        [] => None,
        [one] => Some(one[0].clone()),
        _ => {
            let of = |group: &&[String]| format!("{} in {} of {seeds} seeds", group[0], group.len());
            Some(groups.iter().map(of).collect::<Vec<_>>().join("; "))
        }
    }
}

/// A verdict, which names D3 also where another check fired and it was not assessed.
fn verdict(audit: &Audit) -> String {
    let d3 = audit.checks.iter().find(|check| check.check == CheckId::D3);
    let open = d3.is_some_and(|check| matches!(check.outcome, Outcome::NotAssessed { .. }));
    match &audit.verdict {
        Verdict::Fail { .. } if open => format!("{} (D3 not assessed)", audit.verdict.words()),
        verdict => verdict.words(),
    }
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
            let what = format!("cosine of a_{l} with p_{l}, {}, λ = {}", row.rule, row.penalty);
            lines.push(cosine(what, of(asked, &row.rule, at(row.penalty)), l, mean));
        }
    }
    lines
}

/// Over the layers, the mean cosine of a_l with the costate at h_l.
fn lq(asked: &[Asked]) -> Vec<Line> {
    let of_rule = |row: &figures::published::LqRow| {
        let mean = |run: &Run| {
            let all = &end(run)?.evaluation.cosine_paper;
            let values: Option<Vec<f64>> = all.iter().map(Measured::value).collect();
            values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
        };
        let ours = of(asked, &row.rule, |_| true).map(mean);
        let known = Known::Value(Value { mean: row.cosine, sd: None, text: None });
        line(format!("cosine with the costate, {}", row.rule), ours, known)
    };
    published().lq.rows.iter().map(of_rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_that_agree_speak_with_one_voice() {
        let of = |said: &[&str]| verdicts(said.iter().map(|s| (*s).to_owned()).collect());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&["PASS", "PASS"]).as_deref(), Some("PASS"));
        assert_eq!(
            of(&["PASS", "FAIL(D1)", "PASS"]).as_deref(),
            Some("FAIL(D1) in 1 of 3 seeds; PASS in 2 of 3 seeds")
        );
    }
}
