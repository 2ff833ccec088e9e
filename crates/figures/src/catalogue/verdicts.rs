//! `verdicts`: every check of the protocol with its threshold, and on which side of it each rule lies.

mod panel;
mod remark;

use super::choose::{Chosen, choose};
use super::request::{CatalogueError, Drawing, Request, foot, sources};
use crate::plot::{Figure, Look, Panel};
use crate::reader::{Trial, Variant};
use record::audit::{CheckId, CheckResult, Consistency};

/// Checks in the order of their panels.
const CHECKS: [CheckId; 4] = [CheckId::D1, CheckId::D2, CheckId::D3, CheckId::Direction];

/// A rule with the checks of each of its seeds.
struct Row {
    name: String,
    look: Look,
    variant: Variant,
    seeds: Vec<(Option<u64>, Vec<CheckResult>)>,
}

impl Row {
    /// What one check says of each seed; seeds whose audit lacks it are left out.
    fn results(&self, id: CheckId) -> Vec<&CheckResult> {
        self.seeds.iter().filter_map(|(_, checks)| checks.iter().find(|check| check.check == id)).collect()
    }
}

/// Draws it.
pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    // A frozen trial is what others are held against.
    let wanted = |trial: &Trial| !trial.frozen && (trial.final_audit().is_some() || is_logged(trial));
    let Some(chosen) = choose(&request.records, wanted) else {
        return Err(CatalogueError::Nothing {
            figure: "verdicts",
            needs: "audited runs, or runs whose log holds norms of states and gradients",
            remedy: None,
        });
    };
    let mut notes = chosen.notes.clone();
    let rows = rows(request, &chosen, &mut notes);
    let is_measured =
        |id: CheckId| rows.iter().any(|row| row.results(id).iter().any(|r| r.statistic.is_some()));
    // The protocol's own checks always have their panel; the advisory one only where it was measured.
    let shown = CHECKS.into_iter().filter(|id| *id != CheckId::Direction || is_measured(*id));
    let mut panels: Vec<Panel> = shown.map(|id| panel::of(id, &rows, &mut notes)).collect();
    if let Some(last) = panels.pop() {
        panels.push(last.captioned(&remark::verdicts(&rows)));
    }
    let mut figure = Figure::grid(1, panels);
    figure.aspect = aspect(&figure.panels, rows.len());
    figure.foot = foot(Some(&chosen), None);
    let baselines = chosen.trials().filter_map(|trial| request.records.frozen_baseline(trial));
    Ok(Drawing { figure, sources: sources(chosen.trials().chain(baselines)), notes })
}

fn rows(request: &Request, chosen: &Chosen<'_>, notes: &mut Vec<String>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut unaudited = Vec::new();
    for (variant, trials) in &chosen.groups {
        let mut seeds = Vec::new();
        for trial in trials {
            let checks = trial.final_audit().map_or_else(
                || {
                    unaudited.push(trial.name.as_str());
                    logged(request, trial)
                },
                |audit| audit.checks.clone(),
            );
            seeds.push((trial.seed, checks));
        }
        let look = request.look(&variant.rule);
        rows.push(Row { name: request.name(variant), look, variant: variant.clone(), seeds });
    }
    match unaudited[..] {
        [] => {}
        [run] => notes.push(format!("{run}: no audit of its end, so its checks are read off its log")),
        _ => notes.push(format!(
            "{} runs: no audit of their end, so their checks are read off their logs ({})",
            unaudited.len(),
            unaudited.join(", ")
        )),
    }
    rows
}

/// Whether the log of a trial ends with norms to check.
fn is_logged(trial: &Trial) -> bool {
    trial.last().is_some_and(|last| last.growth.is_some() || last.gradient_last().is_some())
}

/// The checks as the log of a trial has them.
fn logged(request: &Request, trial: &Trial) -> Vec<CheckResult> {
    let facts = trial.logged_facts(request.records.frozen_accuracy(trial));
    let consistency = Consistency::NotAssessed { why: "the log alone was read".to_owned() };
    protocol::checks(&facts, &trial.history(), &consistency, &trial.thresholds)
}

/// Height of a panel as a share of its width, so that every row has room for its words: they stand to both
/// sides of the panel and leave it the less width the longer they are.
fn aspect(panels: &[Panel], rows: usize) -> f64 {
    // Shares of the page, the same in both styles: a letter's width, a row of one or of two lines, everything
    // else.
    const LETTER: f64 = 0.008;
    const LINE: f64 = 0.038;
    const CLOSE: f64 = 0.031;
    const TWO_LINES: f64 = 0.047;
    const AROUND: f64 = 0.04;
    // Longer words are broken into lines.
    const LONGEST: usize = 32;
    // More rows than these stand closer.
    const MANY: usize = 6;
    let longest = |of: fn(&Panel) -> Vec<String>| {
        panels.iter().flat_map(of).map(|word| letters(&word)).max().unwrap_or(0)
    };
    let (left, right) = (
        longest(|panel| panel::words_along(&panel.y)),
        longest(|panel| panel.right.as_ref().map_or_else(Vec::new, panel::words_along)),
    );
    let row = match (left.max(right) > LONGEST, rows > MANY) {
        (true, _) => TWO_LINES,
        (false, true) => CLOSE,
        (false, false) => LINE,
    };
    let width = 1.0 - AROUND - LETTER * (left.min(LONGEST) + right.min(LONGEST)) as f64;
    row * (rows as f64 + 0.4) / width.max(0.2)
}

/// About how many letters a label takes; commands of a formula take none.
fn letters(source: &str) -> usize {
    source.chars().filter(|c| !matches!(c, '$' | '\\' | '{' | '}' | '^')).count()
}
