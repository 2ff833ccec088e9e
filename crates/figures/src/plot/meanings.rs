//! The meaning of each mark of a panel: that of its series, and what the axes say about its coordinates. Numbers are
//! written as in the table.

use super::axis::{Axis, AxisKind, Says};
use super::element::{Band, Bar, Bars, Datum, Guide, Line, Spot};
use super::figure::Panel;
use super::frame::Frame;
use super::scale::{Scale, Spacing};
use super::strip::Strip;
use crate::scene::{Meaning, Tag};

/// The frame of a panel: what its axes say and where their ends are, so that a place on the page can be read back as values.
pub(super) fn axes(panel: &Panel, frame: &Frame) -> Meaning {
    let says = format!("{:?}", panel.x.says).to_lowercase();
    let mut meaning = mark(panel, "axes", &Meaning::default()).with(Tag::X, says);
    if let AxisKind::Categories(names) = &panel.x.kind {
        let names: Vec<String> = names.iter().map(|name| name.replace('|', "/").replace('\n', " ")).collect();
        meaning = meaning.with(Tag::XNames, names.join("|"));
    }
    meaning = ends(meaning, &panel.x, &frame.x, [Tag::XScale, Tag::XLow, Tag::XHigh]);
    meaning = ends(meaning, &panel.y, &frame.y, [Tag::YScale, Tag::YLow, Tag::YHigh]);
    match (&panel.right, &frame.right) {
        (Some(axis), Some(scale)) => {
            ends(meaning, axis, scale, [Tag::RightScale, Tag::RightLow, Tag::RightHigh])
        }
        _ => meaning,
    }
}

fn ends(meaning: Meaning, axis: &Axis, scale: &Scale, [divided, low, high]: [Tag; 3]) -> Meaning {
    let division = match (&axis.kind, scale.spacing) {
        (AxisKind::Categories(_), _) => "names".to_owned(),
        (_, Spacing::Even) => "linear".to_owned(),
        (_, Spacing::Log) => "log".to_owned(),
        (_, Spacing::Signed(least)) => format!("signed {least}"),
    };
    meaning.with(divided, division).with(low, scale.low).with(high, scale.high)
}

/// A stretch of a line.
pub(super) fn line(panel: &Panel, line: &Line) -> Meaning {
    mark(panel, "line", &line.meaning).with_some(Tag::Right, line.right.then_some(true))
}

/// A value of a line.
pub(super) fn datum(panel: &Panel, line: &Line, datum: &Datum) -> Meaning {
    let y = panel.right.as_ref().filter(|_| line.right).unwrap_or(&panel.y);
    placed(panel, y, mark(panel, "line", &line.meaning), datum)
}

/// A cell of a heat map.
pub(super) fn cell(panel: &Panel, strip: &Strip, datum: &Datum) -> Meaning {
    let meaning = along(&panel.x, Tag::X, datum.x, mark(panel, "cell", &strip.meaning));
    let word = if datum.y.is_nan() { "undefined".to_owned() } else { datum.y.to_string() };
    let meaning = meaning.with(Tag::Value, word);
    let is_doubtful = !datum.firm && !datum.y.is_nan();
    if is_doubtful { meaning.with(Tag::Reliable, false) } else { meaning }
}

/// A single value.
pub(super) fn spot(panel: &Panel, spot: &Spot) -> Meaning {
    placed(panel, &panel.y, mark(panel, "point", &spot.meaning), &spot.at)
}

pub(super) fn band(panel: &Panel, band: &Band) -> Meaning {
    mark(panel, "band", &band.meaning)
}

/// A value beside the one that an axis says something about, such as the end of a band.
pub(super) fn beside(panel: &Panel, x: f64, meaning: &Meaning) -> Meaning {
    along(&panel.x, Tag::X, x, meaning.clone())
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
