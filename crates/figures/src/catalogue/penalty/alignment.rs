//! (b) Cosine and ρ of the deep blocks under each condition.

use super::{penalties, with};
use crate::catalogue::choose::Chosen;
use crate::catalogue::request::{PUBLISHED, Request, lambda};
use crate::plot::palette::{Dash, PAIR};
use crate::plot::{Axis, Bar, Bars, GUIDE, Guide, Panel};
use crate::published::{AlignmentKind, AlignmentRow, published};
use crate::reader::{Layers, Trial, Variant, statistics};
use record::Measured;
use record::audit::{NullKind, Quantity};

const EARLY: &str = "none (early)";
const NULL: &str = "fresh $B$";

/// A condition with its two bars, cosine and ρ.
struct Condition {
    name: String,
    bars: [Option<Bar>; 2],
}

/// The panel, and at which epoch the rule without a penalty was still comparable.
pub(super) fn panel(
    request: &Request,
    chosen: &Chosen<'_>,
    penalty: f64,
    notes: &mut Vec<String>,
) -> (Panel, Option<u64>) {
    let mut measured: Vec<Condition> = Vec::new();
    let early = early_epoch(chosen.of(&Variant::plain("dfa")));
    measured.extend(vanilla(chosen.of(&Variant::plain("dfa")), early));
    for value in penalties(chosen) {
        measured.extend(at_the_end(&lambda(value), chosen.of(&with("dfa", value))));
    }
    measured.extend(null(chosen.of(&with("dfa", penalty))));
    measured.extend(at_the_end("BP", chosen.of(&Variant::plain("bp"))));
    let foreign: Vec<Condition> = if request.published {
        published().penalty.alignment.rows.iter().map(from_elsewhere).collect()
    } else {
        Vec::new()
    };
    let names = united(&measured, &foreign);
    let mut panel = Panel::new(
        "alignment",
        Axis::categories("", names.clone()),
        Axis::linear("deep-layer alignment").including([-0.1, 1.0]),
    )
    .titled("(b) Two measures of the deep blocks");
    if names.is_empty() {
        let why = "no audit with cosine and ρ of deep blocks among the records";
        notes.push(format!("panel (b): {why}"));
        panel.absent = Some(format!("{why}; “creditscope audit” measures them"));
        return (panel, None);
    }
    panel.add(Guide::lying(0.0, None, GUIDE, Dash::Solid));
    let both = !measured.is_empty() && !foreign.is_empty();
    let width = if both { 0.2 } else { 0.38 };
    for (conditions, hollow) in [(measured, false), (foreign, true)] {
        for (i, (what, colour)) in ["deep cosine", "deep $\\rho$"].into_iter().zip(PAIR).enumerate() {
            let name = if hollow { format!("{what}{PUBLISHED}") } else { what.to_owned() };
            // Measured bars first, published ones beside them.
            let place = i as f64 - 0.5 + if both { if hollow { 1.0 } else { -1.0 } } else { 0.0 };
            let bars: Vec<Bar> = conditions
                .iter()
                .filter_map(|c| {
                    let x = names.iter().position(|n| *n == c.name)? as f64 + place * (width + 0.02);
                    Some(Bar { x, ..c.bars[i].clone()? })
                })
                .collect();
            if !bars.is_empty() {
                panel.add(Bars { name: name.clone(), key: Some(name), bars, width, colour, hollow });
            }
        }
    }
    (panel, early)
}

/// Names of all conditions, each once, in the order of the first list with what only the second has before its last.
fn united(first: &[Condition], second: &[Condition]) -> Vec<String> {
    let mut names: Vec<String> = first.iter().map(|c| c.name.clone()).collect();
    for (i, condition) in second.iter().enumerate() {
        if !names.contains(&condition.name) {
            names.insert(i.min(names.len()), condition.name.clone());
        }
    }
    names
}

/// The mean over blocks above the first, in the source's convention; none where one may not be believed.
fn deep(values: &[Option<Measured>]) -> Option<f64> {
    let all: Option<Vec<f64>> = values.iter().skip(1).map(|m| m.as_ref()?.defined()).collect();
    statistics(all?).map(|s| s.mean)
}

fn bar(values: Vec<f64>) -> Option<Bar> {
    let s = statistics(values.iter().copied())?;
    let points = if values.len() > 1 { values } else { Vec::new() };
    Some(Bar { x: 0.0, y: s.mean, base: 0.0, error: s.sd, value: None, points })
}

fn of_layers<'a>(name: &str, layers: impl Iterator<Item = &'a Layers> + Clone) -> Option<Condition> {
    let cosines = layers.clone().filter_map(|l| deep(&l.cosine_at_input)).collect();
    let rhos = layers.filter_map(|l| deep(&l.rho_at_input)).collect();
    let bars = [bar(cosines), bar(rhos)];
    bars.iter()
        .any(Option::is_some)
        .then(|| Condition { name: name.to_owned(), bars: bars.map(or_unreliable) })
}

/// A word in place of a bar whose values may not be believed.
fn or_unreliable(bar: Option<Bar>) -> Option<Bar> {
    let word = || Some("unreliable".to_owned());
    let missing = || Bar { x: 0.0, y: f64::NAN, base: 0.0, error: None, value: word(), points: Vec::new() };
    Some(bar.unwrap_or_else(missing))
}

fn at_the_end(name: &str, trials: &[&Trial]) -> Option<Condition> {
    of_layers(name, trials.iter().map(|trial| &trial.final_layers))
}

/// The last epoch at which every seed still has a reference that means something, in all deep blocks.
fn early_epoch(trials: &[&Trial]) -> Option<u64> {
    let firm = |list: &[Option<Measured>]| {
        list.len() > 1 && list.iter().skip(1).all(|m| m.as_ref().is_some_and(|m| m.defined().is_some()))
    };
    let epochs = |trial: &Trial| -> Vec<u64> {
        let good = trial.epochs.iter().filter(|e| e.epoch > 0);
        good.filter(|e| firm(&e.layers.cosine_at_input) && firm(&e.layers.rho_at_input))
            .map(|e| e.epoch)
            .collect()
    };
    let first = epochs(trials.first()?);
    first.into_iter().rev().find(|epoch| trials.iter().all(|trial| epochs(trial).contains(epoch)))
}

/// DFA without a penalty while it can be compared; at its end where it never could.
fn vanilla(trials: &[&Trial], early: Option<u64>) -> Option<Condition> {
    let is_last = |epoch: u64| trials.iter().all(|t| t.last().is_some_and(|last| last.epoch == epoch));
    let Some(epoch) = early.filter(|epoch| !is_last(*epoch)) else { return at_the_end("no penalty", trials) };
    let at = trials.iter().filter_map(|t| t.epochs.iter().find(|e| e.epoch == epoch)).map(|e| &e.layers);
    of_layers(EARLY, at)
}

/// What feedback drawn afresh gives on the same states: the range of all draws, averaged over the deep blocks.
fn null(trials: &[&Trial]) -> Option<Condition> {
    let range = |of: Quantity| -> Option<Bar> {
        let units = trials.iter().flat_map(|trial| trial.final_units().iter().skip(2));
        let nulls = units.filter_map(|unit| unit.at_input.as_ref()).flat_map(|e| e.nulls.iter());
        let ours: Vec<(f64, f64)> = nulls
            .filter(|null| null.kind == NullKind::FreshFeedback && null.of == of)
            .map(|null| (null.low, null.high))
            .collect();
        let (low, high) = (statistics(ours.iter().map(|b| b.0))?, statistics(ours.iter().map(|b| b.1))?);
        Some(Bar { x: 0.0, y: high.mean, base: low.mean, error: None, value: None, points: Vec::new() })
    };
    let bars = [range(Quantity::Cosine), range(Quantity::Rho)];
    bars.iter().any(Option::is_some).then(|| Condition { name: NULL.to_owned(), bars })
}

fn from_elsewhere(row: &AlignmentRow) -> Condition {
    let name = match row.kind {
        AlignmentKind::FreshFeedback => NULL.to_owned(),
        AlignmentKind::Gradient => "BP".to_owned(),
        AlignmentKind::End => lambda(row.penalty),
        AlignmentKind::Early => EARLY.to_owned(),
    };
    let bar = |value: &crate::published::Value| {
        Some(Bar { x: 0.0, y: value.mean, base: 0.0, error: value.sd, value: None, points: Vec::new() })
    };
    Condition { name, bars: [bar(&row.cosine), bar(&row.rho)] }
}
