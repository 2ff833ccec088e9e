//! `lambda-sweep`: states, gradients and accuracy of DFA over epochs, without a penalty and with each penalty.

use super::penalty_rescue::{LAYER, Sweep, penalties};
use crate::published::published;
use figures::catalogue::choose::{Chosen, choose};
use figures::catalogue::curves::curve;
use figures::catalogue::request::{self, CatalogueError, Drawing, PUBLISHED, Request, lambda, power};
use figures::catalogue::{layers, meaning};
use figures::plot::palette::{self, Dash, Look};
use figures::plot::{Axis, Element, Figure, GUIDE, Guide, LegendPlace, Line, MUTED, Panel};
use figures::reader::{EpochPoint, Trial, Variant, geometric_mean, statistics};
use figures::scene::Meaning;

/// The quantity of the mark at the frozen accuracy plus the gain that D3 requires.
const GAIN: &str = "frozen_and_gain";

/// Lines with more values than this carry no markers.
const MARKED: usize = 40;

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
        gradients(&chosen, &conditions)?,
        accuracies(request, &chosen, &conditions, &mut notes)?,
    ];
    let mut figure = Figure::row(panels);
    figure.aspect = 1.0;
    figure.foot = request::foot(Some(&chosen), request.published.as_ref());
    let shown = chosen.trials().filter(|trial| trial.rule == "dfa" || trial.variant().is_plain());
    let published = request.published.as_ref().map(|_| format!("published: {}", published().sweep.source));
    Ok(Drawing::of(figure, shown, notes).and_from(published))
}

/// One line in every panel.
struct Condition<'a> {
    name: String,
    trials: Vec<&'a Trial>,
    look: Look,
}

fn conditions<'a>(request: &Request, chosen: &Chosen<'a>, notes: &mut Vec<String>) -> Vec<Condition<'a>> {
    let plain = Variant::plain("dfa");
    let mut all = Vec::new();
    if chosen.of(&plain).is_empty() {
        notes.push("no run of dfa without a penalty among the records".to_owned());
    } else {
        let name = format!("{} without penalty", request.rule("dfa"));
        all.push(Condition { name, trials: chosen.of(&plain).to_vec(), look: request.look("dfa") });
    }
    let steps = penalties(chosen);
    for (i, &penalty) in steps.iter().enumerate() {
        let trials = chosen.of(&Variant::penalised("dfa", penalty)).to_vec();
        all.push(Condition { name: lambda(penalty), trials, look: palette::step(i, steps.len()) });
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
    read: impl Fn(&EpochPoint) -> Option<f64>,
) -> Result<Panel, CatalogueError> {
    let log = y.is_log();
    let mut panel = Panel::new(name, Axis::epochs(), y).titled(title);
    panel.legend = LegendPlace::Figure;
    for condition in conditions {
        for element in curve(quantity, &condition.name, &condition.trials, condition.look, log, &read)? {
            panel.add(match element {
                Element::Line(line) => Element::Line(Line { marked: line.data.len() <= MARKED, ..line }),
                other => other,
            });
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
        "(a) Residual stream",
        axis,
        conditions,
        EpochPoint::hidden_last,
    )?;
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
fn gradients(chosen: &Chosen<'_>, conditions: &[Condition<'_>]) -> Result<Panel, CatalogueError> {
    let depth = chosen.trials().filter_map(|trial| trial.setting.blocks).min();
    let layer = depth.map_or(LAYER as u64, |depth| depth.min(LAYER as u64));
    let n = layers::samples(chosen.trials());
    let axis = Axis::log(&format!("$\\|g_{{{layer}}}\\|_2$ ($N{{=}}{n}$)"));
    // The records hold the gradient of each sample's own loss.
    let read = |e: &EpochPoint| e.gradient_at(layer as usize).map(|p| protocol::of_mean(p, n));
    let mut panel = panel(
        &meaning::of_state(meaning::GRADIENT, Some(layer)),
        "gradients",
        "(b) BP gradient",
        axis,
        conditions,
        read,
    )?;
    panel.add(layers::floor(chosen.trials(), n));
    Ok(panel)
}

/// (c) Accuracy, with that of frozen blocks and what D3 requires.
fn accuracies(
    request: &Request,
    chosen: &Chosen<'_>,
    conditions: &[Condition<'_>],
    notes: &mut Vec<String>,
) -> Result<Panel, CatalogueError> {
    let axis = Axis::linear("Test accuracy");
    let mut panel =
        panel(&Meaning::of(meaning::TEST_ACCURACY), "accuracy", "(c) Accuracy", axis, conditions, |e| {
            e.test_accuracy
        })?;
    let gain = layers::thresholds(chosen.trials()).gain;
    let frozen = Variant::frozen("dfa");
    let meaning = meaning::rule(&frozen).of_series(meaning::TEST_ACCURACY);
    let mut lines = |value: f64, gain: f64, suffix: &str, meaning: Meaning| {
        let points = (1e4 * gain).round() / 1e2;
        let label = format!("frozen blocks {value:.3}{suffix}");
        let line = Guide::horizontal(value, Some(&label), GUIDE, Dash::Solid);
        panel.add(line.meaning(meaning.clone()));
        let label = format!("frozen + {points} points {:.3}{suffix}", value + gain);
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
        Some(s) => lines(s.mean, gain, "", meaning.clone()),
        None => notes.push("panel (c): no run of dfa with `rule.frozen` among the records".to_owned()),
    }
    if request.published.is_some() {
        let sweep = &published().sweep;
        lines(sweep.frozen, sweep.gain, PUBLISHED, meaning::published(meaning));
    }
    Ok(panel)
}
