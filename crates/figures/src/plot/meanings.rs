//! The meaning of each mark of a panel: that of its series, and what the axes say about its coordinates. Numbers are
//! written as in the table.

use super::axis::{Axis, Says};
use super::element::{Band, Bar, Bars, Datum, Guide, Line, Spot};
use super::figure::Panel;
use crate::scene::{Meaning, Tag};

/// A stretch of a line.
pub(super) fn line(panel: &Panel, line: &Line) -> Meaning {
    mark(panel, "line", &line.meaning)
}

/// A value of a line.
pub(super) fn datum(panel: &Panel, line: &Line, datum: &Datum) -> Meaning {
    let y = panel.right.as_ref().filter(|_| line.right).unwrap_or(&panel.y);
    placed(panel, y, mark(panel, "line", &line.meaning), datum)
}

/// A single value.
pub(super) fn spot(panel: &Panel, spot: &Spot) -> Meaning {
    placed(panel, &panel.y, mark(panel, "point", &spot.meaning), &spot.at)
}

pub(super) fn band(panel: &Panel, band: &Band) -> Meaning {
    mark(panel, "band", &band.meaning)
}

/// A bar, or a range if it does not start at 0.
pub(super) fn bar(panel: &Panel, bars: &Bars, bar: &Bar) -> Meaning {
    let meaning = along(&panel.x, Tag::X, bar.x, bars.meaning.clone().and(&bar.meaning));
    if bar.base == 0.0 {
        mark(panel, "bar", &along(&panel.y, Tag::Value, bar.y, meaning))
    } else {
        let range = meaning.with(Tag::Low, bar.base).with(Tag::High, bar.y);
        mark(panel, "range", &range)
    }
}

/// One of the values whose mean a bar shows.
pub(super) fn point(panel: &Panel, bars: &Bars, bar: &Bar, seed: Option<u64>, value: f64) -> Meaning {
    let meaning = bars.meaning.clone().and(&bar.meaning).with_some(Tag::Seed, seed);
    let meaning = along(&panel.x, Tag::X, bar.x, meaning);
    mark(panel, "value", &along(&panel.y, Tag::Value, value, meaning))
}

/// A line across the panel.
pub(super) fn guide(panel: &Panel, guide: &Guide) -> Meaning {
    mark(panel, "guide", &guide.meaning).with(Tag::Value, guide.at)
}

fn mark(panel: &Panel, kind: &str, meaning: &Meaning) -> Meaning {
    meaning.clone().with(Tag::Panel, &panel.name).with(Tag::Kind, kind)
}

/// Adds the coordinates of a value. If the vertical axis only has names, the value is along the horizontal one.
fn placed(panel: &Panel, y: &Axis, meaning: Meaning, datum: &Datum) -> Meaning {
    let x = if y.says == Says::Nothing { Tag::Value } else { Tag::X };
    let meaning = along(&panel.x, x, datum.x, meaning);
    let meaning = along(y, Tag::Value, datum.y, meaning);
    let meaning = if datum.firm { meaning } else { meaning.with(Tag::Reliable, false) };
    if datum.inert { meaning.with(Tag::Inert, true) } else { meaning }
}

/// Adds what an axis says of a coordinate; a number gets the tag `tag`.
fn along(axis: &Axis, tag: Tag, value: f64, meaning: Meaning) -> Meaning {
    let word = axis.word(value);
    match axis.says {
        Says::Nothing => meaning,
        Says::Number => meaning.with(tag, word),
        Says::Epoch => meaning.with(Tag::Epoch, word),
        Says::State => meaning.with(Tag::State, word),
        Says::Unit if word.parse::<usize>().is_ok() => meaning.with(Tag::Unit, format!("block {word}")),
        Says::Unit => meaning.with(Tag::Unit, word),
    }
}
