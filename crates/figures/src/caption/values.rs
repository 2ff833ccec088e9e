//! The main values of a panel in words.

use crate::plot::{Axis, Datum, Element, Interval, Panel};
use crate::text::plain;

/// Series that are named at most; the rest is in the table.
const MOST: usize = 14;

/// What a panel shows, and each of its series with its ends; nothing if there is none.
pub(super) fn of(panel: &Panel, letter: Option<char>) -> Option<String> {
    let mut found: Vec<String> = panel.elements.iter().filter_map(|element| series(panel, element)).collect();
    if found.is_empty() {
        return None;
    }
    let more = found.len().saturating_sub(MOST);
    found.truncate(MOST);
    if more > 0 {
        found.push(format!("{more} more"));
    }
    let name = letter.map_or_else(|| panel.name.clone(), |letter| letter.to_string());
    let label = |axis: &Axis| axis.label.as_deref().map(plain);
    let axes = match (label(&panel.y), label(&panel.x)) {
        (Some(y), Some(x)) => format!(", {y} over {x}"),
        (Some(one), None) | (None, Some(one)) => format!(", {one}"),
        (None, None) => String::new(),
    };
    Some(format!("Panel {name}{axes}: {}.", found.join("; ")))
}

fn series(panel: &Panel, element: &Element) -> Option<String> {
    match element {
        // Lines without an entry in the legend are seeds of one that has one.
        Element::Line(line) => {
            let key = line.key.as_ref()?;
            let axis = panel.right.as_ref().filter(|_| line.right).unwrap_or(&panel.y);
            let placed: Vec<&Datum> = line.data.iter().filter(|datum| !datum.y.is_nan()).collect();
            let (first, last) = (placed.first()?, placed.last()?);
            let value = |datum: &Datum| {
                let doubt = if datum.firm { "" } else { " (unreliable)" };
                format!("{}{doubt} at {}", number(axis, datum.y), place(&panel.x, datum.x))
            };
            let words = if placed.len() > 1 {
                format!("from {} to {}", value(first), value(last))
            } else {
                value(first)
            };
            Some(format!("{} {words}", plain(key)))
        }
        Element::Bars(bars) => {
            let bar = |bar: &crate::plot::Bar| {
                let value = if bar.y.is_nan() { "missing".to_owned() } else { number(&panel.y, bar.y) };
                let from = if bar.base == 0.0 {
                    String::new()
                } else {
                    format!("{} to ", number(&panel.y, bar.base))
                };
                let ends =
                    |e: Interval| format!(" ({} to {})", number(&panel.y, e.low), number(&panel.y, e.high));
                let error = bar.error.map(ends).unwrap_or_default();
                format!("{from}{value}{error}")
            };
            let values: Vec<String> = bars.bars.iter().map(bar).collect();
            Some(format!("{} {}", plain(&bars.name), values.join(", ")))
        }
        Element::Spot(spot) if !spot.name.contains(", seed ") => {
            let doubt = if spot.at.firm { "" } else { ", unreliable" };
            let (x, y) = (place(&panel.x, spot.at.x), place(&panel.y, spot.at.y));
            Some(format!("{} at {x}, {y}{doubt}", plain(&spot.name)))
        }
        Element::Strip(strip) => {
            let values = || strip.data.iter().map(|datum| datum.y).filter(|y| !y.is_nan());
            let (least, most) = (values().reduce(f64::min)?, values().reduce(f64::max)?);
            let axis = &strip.shade.axis;
            Some(format!("{} from {} to {}", plain(&strip.name), number(axis, least), number(axis, most)))
        }
        Element::Remark(remark) => Some(format!("{}: {}", place(&panel.y, remark.at), plain(&remark.text))),
        Element::Guide(guide) if guide.listed => {
            let axis = if guide.vertical { &panel.x } else { &panel.y };
            Some(format!("line for {} at {}", plain(guide.label.as_deref()?), number(axis, guide.at)))
        }
        _ => None,
    }
}

/// A coordinate: a name on an axis of names, else a number.
fn place(axis: &Axis, value: f64) -> String {
    if axis.is_of_names() { plain(&axis.word(value)) } else { number(axis, value) }
}

/// A number to three digits, in percent where its axis is.
fn number(axis: &Axis, value: f64) -> String {
    if axis.percent {
        return format!("{:.1}%", 100.0 * value);
    }
    if value == 0.0 || !value.is_finite() {
        return value.to_string().replace("inf", "infinity");
    }
    let size = value.abs().log10().floor();
    if (-3.0..4.0).contains(&size) {
        let unit = 10f64.powf(2.0 - size);
        return ((value * unit).round() / unit).to_string().replace('-', "−");
    }
    format!("{value:.1e}").replace('-', "−")
}
