//! What each mark of a panel stands for: what its series is, and what the axes say about the place of a value. Numbers are
//! written as the table writes them.

use super::axis::{Axis, Says};
use super::element::{Band, Bar, Bars, Datum, Guide, Line, Spot};
use super::figure::Panel;
use crate::scene::{Meaning, Tag};

/// A line, or a stretch of one.
pub(super) fn line(panel: &Panel, line: &Line) -> Meaning {
    mark(panel, "line", &line.meaning)
}

/// A value of a line.
pub(super) fn datum(panel: &Panel, line: &Line, datum: &Datum) -> Meaning {
    placed(panel, line_axis(panel, line.right), mark(panel, "line", &line.meaning), datum)
}

/// A lone value.
pub(super) fn spot(panel: &Panel, spot: &Spot) -> Meaning {
    placed(panel, &panel.y, mark(panel, "point", &spot.meaning), &spot.at)
}

/// A band.
pub(super) fn band(panel: &Panel, band: &Band) -> Meaning {
    mark(panel, "band", &band.meaning)
}

/// A bar; one that floats shows a range.
pub(super) fn bar(panel: &Panel, bars: &Bars, bar: &Bar) -> Meaning {
    let meaning = along(&panel.x, Tag::X, bar.x, bars.meaning.clone().and(&bar.meaning));
    if bar.base == 0.0 {
        mark(panel, "bar", &along(&panel.y, Tag::Value, bar.y, meaning))
    } else {
        let range = meaning.with(Tag::Low, bar.base).with(Tag::High, bar.y);
        mark(panel, "range", &range)
    }
}

/// One of the values that a bar is the mean of.
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

fn line_axis(panel: &Panel, right: bool) -> &Axis {
    panel.right.as_ref().filter(|_| right).unwrap_or(&panel.y)
}

/// With the place of a value. Where the vertical axis has names only, the value is along the other.
fn placed(panel: &Panel, y: &Axis, meaning: Meaning, datum: &Datum) -> Meaning {
    let x = if y.says == Says::Nothing { Tag::Value } else { Tag::X };
    let meaning = along(&panel.x, x, datum.x, meaning);
    let meaning = along(y, Tag::Value, datum.y, meaning);
    if datum.firm { meaning } else { meaning.with(Tag::Reliable, false) }
}

/// With what an axis says of a value; a number goes by `tag`.
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
