//! (c) What the penalty costs backpropagation and brings DFA.

use super::draw::SPREAD;
use super::trajectory::state;
use crate::catalogue::claims::{self, Pair};
use crate::published::{Value, published};
use figures::catalogue::choose::Chosen;
use figures::catalogue::request::{PUBLISHED, Request, lambda};
use figures::catalogue::{meaning, plain};
use figures::plot::palette::{self, Dash, PLAIN};
use figures::plot::{Axis, Bar, Bars, GUIDE, Guide, Interval, Panel};
use figures::reader::{Variant, statistics};
use figures::scene::Meaning;

/// Where the bars of dfa are along the axis.
const OF_DFA: (f64, f64) = (0.5, 1.5);

pub(super) fn panel(request: &Request, chosen: &Chosen<'_>, penalty: f64, notes: &mut Vec<String>) -> Panel {
    let rules = ["bp", "dfa"];
    let mut panel = Panel::new(
        "accuracy",
        Axis::categories("", rules.map(|rule| request.rule(rule))),
        plain::accuracies_axis().including([0.0]),
    )
    .titled("Accuracy and penalty");
    let groups =
        [("no penalty".to_owned(), 0.0, PLAIN), (lambda(penalty), penalty, palette::penalty(penalty).colour)];
    let foreign = request.published.is_some();
    let has_runs =
        |penalty: f64| rules.iter().any(|rule| !chosen.of(&Variant::penalised(rule, penalty)).is_empty());
    let measured = groups.iter().any(|(_, penalty, _)| has_runs(*penalty));
    // Four bars per rule if published ones are drawn too.
    let width = if measured && foreign { 0.19 } else { 0.36 };
    for (i, (name, value, colour)) in groups.iter().enumerate() {
        let side = (i as f64 - 0.5) * (width + 0.02);
        let bar_x = |k: usize, shift: f64| k as f64 + side + shift;
        let shift = if measured && foreign { width + 0.02 } else { 0.0 };
        let mut bars = Vec::new();
        for (k, rule) in rules.iter().enumerate() {
            let variant = Variant::penalised(rule, *value);
            let values = plain::accuracies(chosen.of(&variant));
            if values.is_empty() && measured {
                notes.push(format!("panel (c): no run of {variant} among the records"));
            }
            let bar = plain::mean(values, request.spread(SPREAD), plain::percent);
            let meaning = meaning::rule(&variant).and(&bar.meaning);
            bars.push(Bar { x: bar_x(k, -shift), meaning, ..bar });
        }
        if measured {
            let key = Some(name.clone());
            let meaning = Meaning::of(meaning::TEST_ACCURACY);
            panel.add(Bars {
                name: name.clone(),
                key,
                bars,
                width,
                colour: *colour,
                published: false,
                meaning,
            });
        }
        if foreign {
            let table = &published().penalty.capacity.rows;
            let bars = rules.iter().enumerate().filter_map(|(k, rule)| {
                let values = table.iter().find(|row| row.rule == **rule)?;
                let Value { mean: y, sd, .. } = if *value == 0.0 { values.without } else { values.with };
                let error = sd.map(|sd| Interval::sd(y, sd));
                let label = Some(plain::percent(y));
                let meaning = meaning::rule(&Variant::penalised(rule, *value));
                Some(Bar { x: bar_x(k, shift), y, error, value: label, meaning, ..Bar::default() })
            });
            let name = format!("{name}{PUBLISHED}");
            let key = Some(name.clone());
            let meaning = meaning::published(Meaning::of(meaning::TEST_ACCURACY));
            let bars = bars.collect();
            panel.add(Bars { name, key, bars, width, colour: *colour, published: true, meaning });
        }
    }
    baseline(request, chosen, &mut panel, notes);
    let mean = |variant: &Variant| {
        statistics(chosen.of(variant).iter().filter_map(|trial| trial.accuracy())).map(|s| s.mean)
    };
    let [bp, dfa] = rules.map(|rule| {
        let penalised = Variant::penalised(rule, penalty);
        Pair {
            name: request.rule(rule),
            without: mean(&Variant::plain(rule)),
            with: mean(&penalised),
            state: state(chosen.of(&penalised)),
        }
    });
    panel.caption = claims::accuracies(&bp, &dfa);
    if panel.elements.is_empty() {
        panel.absent = Some("no run of bp or dfa with an accuracy".to_owned());
    }
    panel
}

/// The accuracy of dfa with frozen blocks.
fn baseline(request: &Request, chosen: &Chosen<'_>, panel: &mut Panel, notes: &mut Vec<String>) {
    let frozen = Variant::frozen("dfa");
    let meaning = meaning::rule(&frozen).of_series(meaning::TEST_ACCURACY);
    let values = chosen.of(&frozen).iter().filter_map(|trial| trial.accuracy());
    match statistics(values) {
        Some(s) => {
            let name = format!("{}, frozen: {}", request.rule("dfa"), plain::percent(s.mean));
            let line = Guide::horizontal(s.mean, Some(&name), GUIDE, Dash::Dashed);
            panel.add(line.within(OF_DFA).meaning(meaning.clone()));
        }
        None => notes.push("panel (c): no run of dfa with `rule.frozen` among the records".to_owned()),
    }
    if request.published.is_some() {
        let value = published().penalty.capacity.frozen;
        let name = format!("{}, frozen: {}{PUBLISHED}", request.rule("dfa"), plain::percent(value));
        let line = Guide::horizontal(value, Some(&name), GUIDE, Dash::Dotted).within(OF_DFA);
        panel.add(line.meaning(meaning::published(meaning)));
    }
}
