//! (c) What the penalty costs backpropagation and brings DFA.

use super::draw::with;
use crate::catalogue::choose::Chosen;
use crate::catalogue::request::{PUBLISHED, Request, lambda};
use crate::plot::palette::{self, Dash, PLAIN};
use crate::plot::{Axis, Bar, Bars, GUIDE, Guide, Panel};
use crate::published::{Value, published};
use crate::reader::{Variant, statistics};

pub(super) fn panel(request: &Request, chosen: &Chosen<'_>, penalty: f64, notes: &mut Vec<String>) -> Panel {
    let rules = ["bp", "dfa"];
    let mut panel = Panel::new(
        "accuracy",
        Axis::categories("", rules.map(|rule| request.rule(rule))),
        Axis::linear("Test accuracy").including([0.0]),
    )
    .titled("(c) Accuracy without and with the penalty");
    let groups =
        [("no penalty".to_owned(), 0.0, PLAIN), (lambda(penalty), penalty, palette::step(2, 5).colour)];
    let foreign = request.published;
    // Four bars a rule where published ones stand beside.
    let measured = groups.iter().any(|(_, p, _)| rules.iter().any(|r| !chosen.of(&with(r, *p)).is_empty()));
    let width = if measured && foreign { 0.19 } else { 0.36 };
    for (i, (name, value, colour)) in groups.iter().enumerate() {
        let side = (i as f64 - 0.5) * (width + 0.02);
        let place = |k: usize, shift: f64| k as f64 + side + shift;
        let shift = if measured && foreign { width + 0.02 } else { 0.0 };
        let mut bars = Vec::new();
        for (k, rule) in rules.iter().enumerate() {
            let values: Vec<f64> =
                chosen.of(&with(rule, *value)).iter().filter_map(|trial| trial.accuracy()).collect();
            let found = statistics(values.clone());
            if found.is_none() && measured {
                notes.push(format!("panel (c): no run of {} among the records", with(rule, *value)));
            }
            bars.push(Bar {
                x: place(k, -shift),
                y: found.map_or(f64::NAN, |s| s.mean),
                base: 0.0,
                error: found.and_then(|s| s.sd),
                value: Some(found.map_or_else(|| "no run".to_owned(), |s| format!("{:.3}", s.mean))),
                points: if values.len() > 1 { values } else { Vec::new() },
            });
        }
        if measured {
            let key = Some(name.clone());
            panel.add(Bars { name: name.clone(), key, bars, width, colour: *colour, hollow: false });
        }
        if foreign {
            let table = &published().penalty.capacity.rows;
            let bars = rules.iter().enumerate().filter_map(|(k, rule)| {
                let values = table.iter().find(|row| row.rule == **rule)?;
                let Value { mean: y, sd: error, .. } =
                    if *value == 0.0 { values.without } else { values.with };
                let label = Some(format!("{y:.3}"));
                Some(Bar { x: place(k, shift), y, base: 0.0, error, value: label, points: Vec::new() })
            });
            let name = format!("{name}{PUBLISHED}");
            let key = Some(name.clone());
            panel.add(Bars { name, key, bars: bars.collect(), width, colour: *colour, hollow: true });
        }
    }
    baseline(request, chosen, &mut panel, notes);
    if panel.elements.is_empty() {
        panel.absent = Some("no run of bp or dfa with an accuracy".to_owned());
    }
    panel
}

/// The accuracy that dfa reaches with frozen blocks.
fn baseline(request: &Request, chosen: &Chosen<'_>, panel: &mut Panel, notes: &mut Vec<String>) {
    let frozen = Variant { frozen: true, ..Variant::plain("dfa") };
    let values = chosen.of(&frozen).iter().filter_map(|trial| trial.accuracy());
    match statistics(values) {
        Some(s) => {
            let name = format!("frozen blocks {:.3}", s.mean);
            panel.add(Guide::lying(s.mean, Some(&name), GUIDE, Dash::Dashed));
        }
        None => notes.push("panel (c): no run of dfa with `rule.frozen` among the records".to_owned()),
    }
    if request.published {
        let value = published().penalty.capacity.frozen;
        let name = format!("frozen blocks {value:.3}{PUBLISHED}");
        panel.add(Guide::lying(value, Some(&name), GUIDE, Dash::Dotted));
    }
}
