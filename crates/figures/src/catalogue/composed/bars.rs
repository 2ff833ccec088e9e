//! Bars: a number of the end of training for each rule or value of a key.

use super::field::Part;
use super::plot::Plot;
use super::spec::{Along, Group};
use crate::catalogue::request::{PUBLISHED, power};
use crate::catalogue::{meaning, plain};
use crate::plot::{Bar, Bars, Element, Interval};
use crate::reader::Variant;

/// Width of a bar that has a place to itself.
const ALONE: f64 = 0.62;
/// Width of two that share a place.
const BESIDE: f64 = 0.38;
/// Width of all bars of a group.
const TOGETHER: f64 = 0.8;

pub(super) fn draw(plot: &Plot<'_>) -> Vec<Element> {
    let grouped = match (&plot.spec.x, &plot.spec.group) {
        (Along::Field(x), Group::Field(group)) if x != group => plot.groups(),
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for (i, place) in plot.places().iter().enumerate() {
        let x = i as f64;
        if grouped.len() > 1 {
            let width = TOGETHER / grouped.len() as f64;
            for (k, group) in grouped.iter().enumerate() {
                let shift = (k as f64 - (grouped.len() - 1) as f64 / 2.0) * width;
                let shared = group
                    .cohort
                    .iter()
                    .filter(|trial| place.cohort.iter().any(|t| std::ptr::eq(*t, **trial)));
                let part = Part { cohort: shared.copied().collect(), ..group.clone() };
                let bars = bar(plot, &part, x + shift, 0.92 * width);
                found.push(Bars { key: Some(group.name.clone()), ..bars }.into());
            }
            continue;
        }
        let row = plot.published.and_then(|table| table.rows.iter().find(|(rule, ..)| place.is(rule)));
        let beside = plot.published.is_some() && !plot.cohort.is_empty();
        let (width, shift) = if beside { (BESIDE, 0.2) } else { (ALONE, 0.0) };
        if !plot.cohort.is_empty() {
            found.push(bar(plot, place, x - shift, width).into());
        }
        if let Some((rule, y, error)) = row {
            let value = Some(print(plot, *y));
            let error = error.map(|sd| Interval::sd(*y, sd));
            let bars = vec![Bar { x: x + shift, y: *y, error, value, ..Bar::default() }];
            let name = format!("{}{PUBLISHED}", place.name);
            let of_rule = meaning::rule(&Variant::plain(rule)).of_series(&plot.spec.y.name);
            let meaning = meaning::published(of_rule);
            let colour = place.look.colour;
            found.push(Bars { name, key: None, bars, width, colour, published: true, meaning }.into());
        }
    }
    found
}

/// The mean over seeds with its spread and every seed.
fn bar(plot: &Plot<'_>, part: &Part<'_>, x: f64, width: f64) -> Bars {
    let value = |trial: &&crate::reader::Trial| {
        let value = plot.spec.y.at_end(trial).first().copied().flatten()?.value()?;
        Some((trial.seed, value))
    };
    let values: Vec<(Option<u64>, f64)> = part.cohort.iter().filter_map(value).collect();
    let bar = Bar { x, ..plain::mean(values, plot.spread, |value| print(plot, value)) };
    let meaning = if part.cohort.is_empty() {
        // A place of the published values alone.
        let rule = part.value.as_str().unwrap_or_default();
        meaning::rule(&Variant::plain(rule)).of_series(&plot.spec.y.name)
    } else {
        plot.meaning(&part.cohort)
    };
    let name = part.name.clone();
    Bars { name, key: None, bars: vec![bar], width, colour: part.look.colour, published: false, meaning }
}

fn print(plot: &Plot<'_>, value: f64) -> String {
    match plot.spec.percent || plot.spec.y.is_share() {
        true => plain::percent(value),
        false if (0.001..1000.0).contains(&value.abs()) => format!("{value:.3}").replace('-', "−"),
        false => format!("${}$", power(value)),
    }
}
