//! One scatter: the cosine against another measure, a marker a rule.

use super::draw::Row;
use super::measure::{Measure, Summary};
use super::rank::{self, Opposite};
use crate::plot::palette::Dash;
use crate::plot::{Axis, Datum, GUIDE, Guide, LegendPlace, Line, Look, MUTED, Marker, Panel, Spot};
use crate::reader::ETA;

/// How many times the smallest fall of the loss the largest may be before they are drawn on a logarithmic
/// axis.
const WIDE: f64 = 20.0;
/// Room beyond the outermost values of a logarithmic axis, as a factor.
const ROOM: f64 = 1.7;

/// The panel of a measure.
pub(super) fn of(index: usize, other: Measure, here: bool, rows: &[Row], notes: &mut Vec<String>) -> Panel {
    let letter = ["A", "B", "C"][index % 3];
    let (title, name) = match other {
        Measure::Nudge => (format!("nudge, $\\eta{{=}}{ETA}$"), "nudge"),
        Measure::Rho => ("$\\rho$".to_owned(), "rho"),
        _ => ("accuracy".to_owned(), "accuracy"),
    };
    let falls = other == Measure::Nudge && is_wide(rows);
    let x = Axis::linear("mean cosine").including([0.0]);
    let mut panel =
        Panel::new(name, x, axis(other, rows, falls)).titled(&format!("({letter}) Cosine and {title}"));
    // Names that find no room beside their markers.
    panel.legend = LegendPlace::Figure;
    if rows.iter().all(|row| row.get(other).is_none() || row.get(Measure::Cosine).is_none()) {
        panel.absent =
            Some(format!("no record holds {} beside a cosine; an audit measures it", other.label()));
        return panel;
    }
    panel.add(Guide::upright(0.0, None, GUIDE, Dash::Dotted));
    if !falls && other != Measure::Accuracy {
        panel.add(Guide::lying(0.0, None, GUIDE, Dash::Dotted));
    }
    let shown = |summary: &Summary| if falls { -summary.over_seeds.mean } else { summary.over_seeds.mean };
    let opposites = rank::opposites(rows, other);
    for pair in &opposites {
        panel.add(joint(rows, pair, other, &shown));
    }
    for row in rows {
        let (Some(cosine), Some(measure)) = (row.get(Measure::Cosine), row.get(other)) else { continue };
        let y = shown(measure);
        let sd = measure.over_seeds.sd;
        if falls && sd.is_some_and(|sd| sd >= y) {
            notes.push(format!(
                "{}: the spread of its nudge reaches beyond zero, which a logarithmic axis lacks",
                row.name
            ));
        }
        panel.add(Spot {
            name: row.name.clone(),
            label: Some(row.name.clone()),
            key: None,
            at: Datum { x: cosine.over_seeds.mean, y, firm: cosine.is_whole() && measure.is_whole() },
            error: (cosine.over_seeds.sd, sd.filter(|sd| !falls || *sd < y)),
            look: row.look,
            size: 1.2,
            meaning: row.meaning.clone().of_series(other.series(here)),
        });
    }
    panel.captioned(&rank::sentence(rows, other, &opposites))
}

fn axis(other: Measure, rows: &[Row], falls: bool) -> Axis {
    match other {
        Measure::Nudge if falls => Axis::log("loss falls by\n(more is better)")
            .including(nudges(rows).flat_map(|v| [-v / ROOM, -v * ROOM])),
        Measure::Nudge => Axis::linear("change of loss\n(lower is better)"),
        Measure::Rho => Axis::linear("mean $\\rho$").including([0.0]),
        Measure::Cosine | Measure::Accuracy => Axis::linear("test accuracy").including([0.0]),
    }
}

/// The mean nudge of every rule that has one.
fn nudges(rows: &[Row]) -> impl Iterator<Item = f64> {
    rows.iter().filter_map(|row| row.get(Measure::Nudge)).map(|summary| summary.over_seeds.mean)
}

/// Whether every rule's nudge lowers the loss, and some so much more than others that these would lie on
/// zero.
fn is_wide(rows: &[Row]) -> bool {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    let (most, least) = nudges(rows).fold(ends, |(a, b), v| (a.min(v), b.max(v)));
    least < 0.0 && most / least > WIDE
}

/// A thin line between two rules that the measures rank in opposite order.
fn joint(rows: &[Row], pair: &Opposite, other: Measure, shown: &impl Fn(&Summary) -> f64) -> Line {
    let end = |i: usize| {
        let row = &rows[i];
        let x = row.get(Measure::Cosine).map_or(f64::NAN, |s| s.over_seeds.mean);
        Datum::new(x, row.get(other).map_or(f64::NAN, shown))
    };
    let mut data = vec![end(pair.first), end(pair.second)];
    data.sort_by(|a, b| a.x.total_cmp(&b.x));
    let dash = if pair.clear { Dash::Dashed } else { Dash::Dotted };
    let look = Look { colour: MUTED, marker: Marker::Circle, dash, hollow: false };
    let name = format!("{} / {}", rows[pair.first].name, rows[pair.second].name);
    Line { weight: 0.7, ..Line::new(&name, data, look).plain().unlisted() }
}
