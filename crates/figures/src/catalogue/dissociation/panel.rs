//! One scatter plot: the cosine against another measure, one marker per rule.

use super::draw::Row;
use super::measure::{Measure, Summary};
use super::rank::{self, Opposite};
use crate::catalogue::plain;
use crate::plot::palette::Dash;
use crate::plot::{Axis, Datum, GUIDE, Guide, Interval, LegendPlace, Line, Look, MUTED, Marker, Panel, Spot};
use crate::reader::ETA;

/// Ratio of the largest to the smallest decrease of the loss above which the axis is logarithmic.
const WIDE: f64 = 20.0;
/// Factor by which a logarithmic axis extends beyond its values.
const ROOM: f64 = 1.7;

pub(super) fn panel(other: Measure, here: bool, rows: &[Row], notes: &mut Vec<String>) -> Panel {
    let (title, name) = match other {
        Measure::Nudge => (format!("nudge, $\\eta{{=}}{ETA}$"), "nudge"),
        Measure::Rho => ("$\\rho$".to_owned(), "rho"),
        _ => ("accuracy".to_owned(), "accuracy"),
    };
    let falls = other == Measure::Nudge && is_wide(rows);
    let x = Axis::linear("Mean cosine").including([0.0]);
    let mut panel = Panel::new(name, x, axis(other, rows, falls)).titled(&format!("Cosine and {title}"));
    // Names beside markers that lie this close would need lines to tell which is whose.
    panel.legend = LegendPlace::Figure;
    if rows.iter().all(|row| row.get(other).is_none() || row.get(Measure::Cosine).is_none()) {
        let label = other.label();
        panel.absent = Some(format!("no record holds both {label} and a cosine; an audit measures them"));
        return panel;
    }
    panel.add(Guide::vertical(0.0, None, GUIDE, Dash::Dotted));
    if !falls && other != Measure::Accuracy {
        panel.add(Guide::horizontal(0.0, None, GUIDE, Dash::Dotted));
    }
    let y_of = |summary: &Summary| if falls { -summary.over_seeds.mean } else { summary.over_seeds.mean };
    let opposites = rank::opposites(rows, other);
    for pair in &opposites {
        panel.add(joint(rows, pair, other, &y_of));
    }
    for row in rows {
        let (Some(cosine), Some(measure)) = (row.get(Measure::Cosine), row.get(other)) else { continue };
        let y = y_of(measure);
        let turned = |e: Interval| Interval { low: -e.high, high: -e.low, ..e };
        let error = measure.error.map(|error| if falls { turned(error) } else { error });
        if falls && error.is_some_and(|error| error.low <= 0.0) {
            let name = &row.name;
            notes.push(format!("{name}: the spread of its nudge includes zero, so it is not drawn"));
        }
        let firm = cosine.is_whole() && measure.is_whole();
        let at = Datum { firm, ..Datum::new(cosine.over_seeds.mean, y) };
        let meaning = row.meaning.clone().of_series(other.series(here));
        panel.add(Spot {
            key: Some(row.name.clone()),
            error: (cosine.error, error.filter(|error| !falls || error.low > 0.0)),
            size: 1.2,
            ..Spot::new(row.name.clone(), at, row.look, meaning)
        });
    }
    panel.captioned(&rank::sentence(rows, other, &opposites))
}

fn axis(other: Measure, rows: &[Row], falls: bool) -> Axis {
    match other {
        Measure::Nudge if falls => Axis::log("Decrease in loss\n(higher is better)")
            .including(nudges(rows).flat_map(|v| [-v / ROOM, -v * ROOM])),
        Measure::Nudge => Axis::linear("Change in loss\n(lower is better)"),
        Measure::Rho => Axis::linear("Mean $\\rho$").including([0.0]),
        Measure::Cosine | Measure::Accuracy => plain::accuracies_axis().including([0.0]),
    }
}

/// The mean nudge of every rule that has one.
fn nudges(rows: &[Row]) -> impl Iterator<Item = f64> {
    rows.iter().filter_map(|row| row.get(Measure::Nudge)).map(|summary| summary.over_seeds.mean)
}

/// Whether every rule's nudge lowers the loss, some so much more that on a linear axis the others would be at zero.
fn is_wide(rows: &[Row]) -> bool {
    let strongest = nudges(rows).fold(f64::INFINITY, f64::min);
    let weakest = nudges(rows).fold(f64::NEG_INFINITY, f64::max);
    weakest < 0.0 && strongest / weakest > WIDE
}

/// A thin line between two rules that the measures rank in opposite order.
fn joint(rows: &[Row], pair: &Opposite, other: Measure, y_of: &impl Fn(&Summary) -> f64) -> Line {
    let end = |i: usize| {
        let row = &rows[i];
        let x = row.get(Measure::Cosine).map_or(f64::NAN, |s| s.over_seeds.mean);
        Datum::new(x, row.get(other).map_or(f64::NAN, y_of))
    };
    let mut data = vec![end(pair.first), end(pair.second)];
    data.sort_by(|a, b| a.x.total_cmp(&b.x));
    let dash = if pair.clear { Dash::Dashed } else { Dash::Dotted };
    let look = Look { colour: MUTED, marker: Marker::Circle, dash, hollow: false };
    let name = format!("{} / {}", rows[pair.first].name, rows[pair.second].name);
    Line { weight: 0.7, ..Line::new(&name, data, look).plain().unlisted() }
}
