//! `lambda-sweep`: states, gradients and accuracy of DFA over epochs, without a penalty and with each penalty.

use super::claims;
use super::penalty_rescue::{LAYER, Sweep, penalties};
use crate::published::published;
use figures::catalogue::choose::{Chosen, choose};
use figures::catalogue::curves::curve;
use figures::catalogue::request::{self, CatalogueError, Drawing, PUBLISHED, Request, lambda, power};
use figures::catalogue::several::{self, Axes};
use figures::catalogue::{layers, meaning, plain};
use figures::plot::palette::{self, Dash, Look};
use figures::plot::{Axis, Figure, GUIDE, Guide, LegendPlace, MUTED, Panel, Spread};
use figures::reader::{EpochPoint, Trial, Variant, geometric_mean, statistics};
use figures::scene::Meaning;

/// The quantity of the mark at the frozen accuracy plus the gain that D3 requires.
const GAIN: &str = "frozen_and_gain";

/// What bands show: logarithmic and linear panels alike.
const SPREAD: Spread = Spread::MinMax;

pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let ours = |trial: &Trial| {
        ["bp", "dfa"].contains(&trial.rule.as_str())
            && trial.modifiers.is_empty()
            && trial.epochs.iter().any(|e| e.hidden_last().is_some())
    };
    let sweep = Sweep::of(&request.records, ours);
    let chosen = choose(&request.records, |trial| sweep.takes(trial)).filter(|_| !sweep.is_empty());
    let needs = "runs of dfa with `rule.penalty`, with norms over epochs";
    let chosen = chosen.ok_or(CatalogueError::nothing("lambda-sweep", needs, None))?;
    let mut notes: Vec<String> = sweep.note(&chosen).into_iter().collect();
    notes.extend(chosen.notes.iter().cloned());
    let conditions = conditions(request, &chosen, &mut notes);
    let panels = vec![
        states(request, &chosen, &conditions, &mut notes)?,
        gradients(request, &chosen, &conditions)?,
        accuracies(request, &chosen, &conditions, &mut notes)?,
    ];
    let mut figure = Figure::row(panels);
    figure.aspect = 1.0;
    let several = several::lines(request.spread(SPREAD), Axes::BOTH);
    let published_words = request.published.as_ref().map(request::published_beside);
    let feet = request::foot(request, &chosen, Some(several)).into_iter().chain(published_words);
    figure.foot = Some(feet.collect::<Vec<_>>().join("; "));
    let shown = chosen.trials().filter(|trial| trial.rule == "dfa" || trial.variant().is_plain());
    let published = request.published.as_ref().map(|_| format!("published: {}", published().sweep.source));
    Ok(Drawing::of(figure.lettered(), shown, notes).and_from(published))
}

/// One line in every panel.
struct Condition<'a> {
    name: String,
    penalty: f64,
    trials: Vec<&'a Trial>,
    look: Look,
}

impl Condition<'_> {
    /// The geometric mean over seeds after the last epoch.
    fn end(&self, read: &dyn Fn(&EpochPoint) -> Option<f64>) -> Option<f64> {
        let ends: Option<Vec<f64>> = self.trials.iter().map(|trial| read(trial.last()?)).collect();
        geometric_mean(&ends?)
    }
}

fn conditions<'a>(request: &Request, chosen: &Chosen<'a>, notes: &mut Vec<String>) -> Vec<Condition<'a>> {
    let plain = Variant::plain("dfa");
    let mut all = Vec::new();
    if chosen.of(&plain).is_empty() {
        notes.push("no run of dfa without a penalty among the records".to_owned());
    } else {
        let name = format!("{} without penalty", request.rule("dfa"));
        let trials = chosen.of(&plain).to_vec();
        all.push(Condition { name, penalty: 0.0, trials, look: request.look("dfa") });
    }
    let steps = penalties(chosen);
    for &penalty in &steps {
        let trials = chosen.of(&Variant::penalised("dfa", penalty)).to_vec();
        all.push(Condition { name: lambda(penalty), penalty, trials, look: palette::penalty(penalty) });
    }
    all
}

/// A panel with one curve per condition.
fn panel(
    quantity: &Meaning,
    name: &str,
    title: &str,
    y: Axis,
    conditions: &[Condition<'_>],
    spread: Spread,
    read: impl Fn(&EpochPoint) -> Option<f64>,
) -> Result<Panel, CatalogueError> {
    let log = y.is_log();
    let mut panel = Panel::new(name, Axis::epochs(), y).titled(title);
    panel.legend = LegendPlace::Figure;
    for condition in conditions {
        for element in
            curve(quantity, &condition.name, &condition.trials, condition.look, log, spread, &read)?
        {
            panel.add(element);
        }
    }
    if panel.elements.is_empty() {
        panel.absent = Some(format!("none of these records holds the {name} over epochs"));
    }
    Ok(panel)
}

/// (a) The last state, with backpropagation's final one for comparison.
fn states(
    request: &Request,
    chosen: &Chosen<'_>,
    conditions: &[Condition<'_>],
    notes: &mut Vec<String>,
) -> Result<Panel, CatalogueError> {
    let axis = Axis::log("$\\|h_L\\|_2$");
    let mut panel = panel(
        &meaning::of_state(meaning::HIDDEN, chosen.setting.blocks),
        "states",
        "Residual stream",
        axis,
        conditions,
        request.spread(SPREAD),
        EpochPoint::hidden_last,
    )?;
    let without = conditions.iter().find(|c| c.penalty == 0.0).and_then(|c| c.end(&EpochPoint::hidden_last));
    let with: Vec<f64> = conditions
        .iter()
        .filter(|c| c.penalty > 0.0)
        .filter_map(|c| c.end(&EpochPoint::hidden_last))
        .collect();
    panel.caption = claims::states(without, &with);
    let bp = chosen.of(&Variant::plain("bp"));
    let finals: Vec<f64> = bp.iter().filter_map(|trial| trial.last()?.hidden_last()).collect();
    let value = geometric_mean(&finals);
    let name = format!("$\\|h_L\\|$ of {}:", request.rule("bp"));
    let meaning = meaning::rule(&Variant::plain("bp")).of_series(meaning::HIDDEN);
    match value {
        Some(value) => {
            let label = format!("{name} {}", norm(value));
            let line = Guide::horizontal(value, Some(&label), request.look("bp").colour, Dash::Dotted);
            panel.add(line.meaning(meaning.clone()));
        }
        None => notes.push("panel (a): no run of bp in the same setting among the records".to_owned()),
    }
    if request.published.is_some() {
        let value = published().sweep.hidden_bp;
        let label = format!("{name} {}{PUBLISHED}", norm(value));
        let line = Guide::horizontal(value, Some(&label), MUTED, Dash::Dotted);
        panel.add(line.meaning(meaning::published(meaning)));
    }
    Ok(panel)
}

/// A norm as label source: a whole number where it is short.
fn norm(value: f64) -> String {
    if (10.0..10_000.0).contains(&value) { format!("{value:.0}") } else { format!("${}$", power(value)) }
}

/// (b) The gradient and the D2 floor.
fn gradients(
    request: &Request,
    chosen: &Chosen<'_>,
    conditions: &[Condition<'_>],
) -> Result<Panel, CatalogueError> {
    let depth = chosen.trials().filter_map(|trial| trial.setting.blocks).min();
    let layer = depth.map_or(LAYER as u64, |depth| depth.min(LAYER as u64));
    let n = layers::samples(chosen.trials());
    let axis = Axis::log(&format!("$\\|g_{{{layer}}}\\|_2$ ($N{{=}}{n}$)"));
    // The records hold the gradient of each sample's own loss.
    let read = &|e: &EpochPoint| e.gradient_at(layer as usize).map(|p| protocol::of_mean(p, n));
    let mut panel = panel(
        &meaning::of_state(meaning::GRADIENT, Some(layer)),
        "gradients",
        "BP gradient",
        axis,
        conditions,
        request.spread(SPREAD),
        read,
    )?;
    let floor = layers::floor(chosen.trials(), n);
    let ends: Vec<(String, f64)> =
        conditions.iter().filter_map(|c| Some((c.name.clone(), c.end(read)?))).collect();
    panel.caption = claims::gradients(floor.at, &ends);
    panel.add(floor);
    Ok(panel)
}

/// (c) Accuracy, with that of frozen blocks and what D3 requires.
fn accuracies(
    request: &Request,
    chosen: &Chosen<'_>,
    conditions: &[Condition<'_>],
    notes: &mut Vec<String>,
) -> Result<Panel, CatalogueError> {
    let axis = plain::accuracies_axis();
    let mut panel = panel(
        &Meaning::of(meaning::TEST_ACCURACY),
        "accuracy",
        "Accuracy",
        axis,
        conditions,
        request.spread(SPREAD),
        |e| e.test_accuracy.filter(|_| e.epoch > 0),
    )?;
    let gain = layers::thresholds(chosen.trials()).gain;
    let end = |c: &Condition<'_>| {
        let mean = statistics(c.trials.iter().filter_map(|trial| trial.accuracy()))?.mean;
        Some((c.name.clone(), mean))
    };
    let ends: Vec<(String, f64)> = conditions.iter().filter_map(end).collect();
    let frozen = Variant::frozen("dfa");
    let meaning = meaning::rule(&frozen).of_series(meaning::TEST_ACCURACY);
    let mut caption = None;
    let mut lines = |value: f64, gain: f64, suffix: &str, meaning: Meaning| {
        let points = (1e4 * gain).round() / 1e2;
        let label = format!("frozen blocks {}{suffix}", plain::percent(value));
        let line = Guide::horizontal(value, Some(&label), GUIDE, Dash::Solid);
        panel.add(line.meaning(meaning.clone()));
        let label = format!("frozen + {points} points {}{suffix}", plain::percent(value + gain));
        let line = Guide::horizontal(value + gain, Some(&label), GUIDE, Dash::Dotted);
        panel.add(line.meaning(meaning.of_series(GAIN)));
    };
    let runs = statistics(chosen.of(&frozen).iter().filter_map(|trial| trial.accuracy()));
    // An audit keeps the accuracy of its baseline, so the baseline's own run may be missing.
    let audits = || {
        let plain = chosen.of(&Variant::plain("dfa")).iter();
        statistics(plain.filter_map(|trial| trial.final_audit()?.frozen))
    };
    match runs.or_else(audits) {
        Some(s) => {
            lines(s.mean, gain, "", meaning.clone());
            caption = claims::gains(s.mean, gain, &ends);
        }
        None => notes.push("panel (c): no run of dfa with `rule.frozen` among the records".to_owned()),
    }
    if request.published.is_some() {
        let sweep = &published().sweep;
        lines(sweep.frozen, sweep.gain, PUBLISHED, meaning::published(meaning));
    }
    panel.caption = caption;
    Ok(panel)
}
