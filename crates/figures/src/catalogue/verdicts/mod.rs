//! `verdicts`: a row for each rule and a column for each check, with its threshold and every seed; the verdict comes last.

mod column;
mod remark;
mod verdict;

use super::choose::{Chosen, choose};
use super::request::{CatalogueError, Drawing, Request, foot};
use crate::plot::{Axis, BORDER, Dash, Figure, Guide, Look, Panel};
use crate::reader::{Trial, Variant};
use protocol::standing;
use record::audit::{CheckId, CheckResult, Consistency, Verdict};

/// Checks in the order of their columns.
const CHECKS: [CheckId; 4] = [CheckId::D1, CheckId::D2, CheckId::D3, CheckId::Direction];

/// A rule with the checks of each of its seeds.
struct Row {
    name: String,
    look: Look,
    variant: Variant,
    seeds: Vec<(Option<u64>, Vec<CheckResult>)>,
    /// How many units get no help from their credit, in words; `None` if all do or nothing is known.
    unhelped: Option<String>,
}

impl Row {
    /// The verdict of each seed.
    fn verdicts(&self) -> Vec<Verdict> {
        self.seeds.iter().map(|(_, checks)| protocol::verdict(checks)).collect()
    }

    /// The results of one check, for the seeds whose audit has it.
    fn results(&self, id: CheckId) -> Vec<&CheckResult> {
        self.seeds.iter().filter_map(|(_, checks)| checks.iter().find(|check| check.check == id)).collect()
    }
}

/// Units at chance or misled, by most seeds.
fn unhelped(trials: &[&Trial]) -> Option<String> {
    let units = trials.iter().map(|trial| trial.final_units().len()).max().unwrap_or(0);
    let of_trial = |trial: &&Trial, unit: usize| {
        let here = trial.final_units().get(unit)?.here.as_ref()?;
        Some(standing(here, &trial.thresholds).0)
    };
    protocol::unhelped((0..units).map(|unit| trials.iter().filter_map(|t| of_trial(t, unit)).collect()))
}

pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    // Frozen trials are only baselines.
    let wanted = |trial: &Trial| !trial.frozen && (trial.final_audit().is_some() || is_logged(trial));
    let needs = "audited runs, or runs whose log holds norms of states and gradients";
    let chosen = choose(&request.records, wanted).ok_or(CatalogueError::nothing("verdicts", needs, None))?;
    let mut notes = chosen.notes.clone();
    let rows = rows(request, &chosen, &mut notes);
    let is_measured =
        |id: CheckId| rows.iter().any(|row| row.results(id).iter().any(|r| r.statistic.is_some()));
    // The advisory check has a column only if it was measured.
    let shown = CHECKS.into_iter().filter(|id| *id != CheckId::Direction || is_measured(*id));
    let mut panels: Vec<Panel> = shown.map(|id| column::column(id, &rows, &mut notes)).collect();
    panels.push(verdict::column(&rows));
    let mut figure = Figure::row(panels);
    figure.fewest = figure.columns;
    figure.shares_y = true;
    // At least; the rows decide.
    figure.aspect = 0.3;
    let setting = foot(request, &chosen, None).unwrap_or_default();
    figure.foot = Some(format!("{}. {setting}", column::LEGEND));
    let baselines = chosen.trials().filter_map(|trial| request.records.frozen_baseline(trial));
    Ok(Drawing::of(figure, chosen.trials().chain(baselines), notes))
}

fn rows(request: &Request, chosen: &Chosen<'_>, notes: &mut Vec<String>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut unaudited = Vec::new();
    for (variant, trials) in chosen.groups.iter() {
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
        rows.push(Row {
            name: request.name(variant),
            look,
            variant: variant.clone(),
            seeds,
            unhelped: unhelped(trials),
        });
    }
    match unaudited[..] {
        [] => {}
        [run] => notes.push(format!("{run}: no audit of its end, so its log is checked")),
        _ => {
            let names = unaudited.join(", ");
            let count = unaudited.len();
            notes.push(format!("{count} runs: no audit of their end, so their logs are checked ({names})"));
        }
    }
    rows
}

/// Whether the log of a trial ends with norms to check.
fn is_logged(trial: &Trial) -> bool {
    trial.last().is_some_and(|last| last.growth.is_some() || last.gradient_last().is_some())
}

/// The checks, made from a trial's log.
fn logged(request: &Request, trial: &Trial) -> Vec<CheckResult> {
    let facts = trial.logged_facts(request.records.frozen_accuracy(trial));
    let consistency = Consistency::NotAssessed { why: "only the log was read".to_owned() };
    protocol::checks(&facts, &trial.history(), &consistency, &trial.thresholds)
}

/// The vertical axis of every column: the rules, the first on top.
fn rules(rows: &[Row]) -> Axis {
    Axis { lines: 2.0, ..Axis::categories("", rows.iter().rev().map(|row| row.name.clone())) }
}

/// Thin lines between the rows.
fn between_rows(rows: &[Row], panel: &mut Panel) {
    for i in 1..rows.len() {
        panel.add(Guide::horizontal(i as f64 - 0.5, None, BORDER, Dash::Solid));
    }
}
