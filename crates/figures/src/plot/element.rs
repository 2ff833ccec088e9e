//! What a panel shows, in data coordinates, with the values that the table lists too.
#![expect(missing_docs, reason = "fields that elements share, such as `name` and `look`, are explained once")]

use super::marker::Marker;
use super::palette::{Dash, Look};
use super::remark::Remark;
use super::spread::{Interval, Spread};
use super::strip::Strip;
use crate::scene::{Colour, Meaning};

/// A value of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Datum {
    pub x: f64,
    /// NaN if missing.
    pub y: f64,
    /// Whether it is reliable; unreliable values are drawn hollow.
    pub firm: bool,
    /// Whether its unit is inert, however reliable the value is; drawn with a ring.
    pub inert: bool,
}

impl Datum {
    /// A reliable value of something that is not inert.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, firm: true, inert: false }
    }
}

/// A line through values, broken where one is missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name in the table.
    pub name: String,
    /// Its name in the legend; `None` for no entry.
    pub key: Option<String>,
    /// From left to right.
    pub data: Vec<Datum>,
    pub look: Look,
    /// Width, relative to the usual one.
    pub weight: f64,
    /// Whether values have markers.
    pub marked: bool,
    /// Whether only some have, at other places than those of other lines.
    pub sparse: bool,
    /// Whether it belongs to the right axis.
    pub right: bool,
    /// Becomes `data-` attributes in an SVG.
    pub meaning: Meaning,
}

impl Line {
    /// A line with markers and a legend entry.
    pub fn new(name: &str, data: Vec<Datum>, look: Look) -> Self {
        let key = Some(name.to_owned());
        let meaning = Meaning::default();
        let name = name.to_owned();
        Self { name, key, data, look, weight: 1.0, marked: true, sparse: false, right: false, meaning }
    }

    /// Sets the meaning.
    pub fn meaning(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }

    /// Without markers.
    pub fn plain(self) -> Self {
        Self { marked: false, ..self }
    }

    /// With a marker here and there, for curves of many values.
    pub fn sparse(self) -> Self {
        Self { marked: true, sparse: true, ..self }
    }

    /// Without a legend entry.
    pub fn unlisted(self) -> Self {
        Self { key: None, ..self }
    }
}

/// The area between two curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    pub name: String,
    pub key: Option<String>,
    /// x, lower and upper value.
    pub data: Vec<(f64, f64, f64)>,
    /// What the two values are.
    pub spread: Spread,
    pub colour: Colour,
    pub meaning: Meaning,
}

/// A bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// Its middle.
    pub x: f64,
    /// Its end; NaN if missing.
    pub y: f64,
    /// Its start; a bar that does not start at 0 shows a range.
    pub base: f64,
    /// Its error bar.
    pub error: Option<Interval>,
    /// Printed at its end, or instead of a missing bar.
    pub value: Option<String>,
    /// Seeds and values that it is the mean of.
    pub points: Vec<(Option<u64>, f64)>,
    /// In addition to that of its [`Bars`].
    pub meaning: Meaning,
}

/// Bars of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    pub name: String,
    pub key: Option<String>,
    pub bars: Vec<Bar>,
    /// In units of the horizontal axis.
    pub width: f64,
    pub colour: Colour,
    /// Whether they are published values, which are grey.
    pub published: bool,
    pub meaning: Meaning,
}

/// A single value with its name next to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    pub name: String,
    /// Written next to it.
    pub label: Option<String>,
    pub key: Option<String>,
    pub at: Datum,
    /// Its horizontal and vertical error bars.
    pub error: (Option<Interval>, Option<Interval>),
    pub look: Look,
    /// Relative to the usual size.
    pub size: f64,
    pub meaning: Meaning,
}

impl Spot {
    /// A marker of the usual size, without label, legend entry and error bars.
    pub fn new(name: String, at: Datum, look: Look, meaning: Meaning) -> Self {
        Self { name, label: None, key: None, at, error: (None, None), look, size: 1.0, meaning }
    }

    /// What a marker of one seed is called.
    pub fn of_seed(name: &str, seed: Option<u64>) -> String {
        seed.map_or_else(|| name.to_owned(), |seed| format!("{name}, seed {seed}"))
    }
}

/// A shaded part of a panel. Infinite ends extend to its edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub fill: Colour,
    /// Written in it if there is room.
    pub name: Option<String>,
    /// Colour of the name.
    pub ink: Colour,
}

/// A line across the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Guide {
    /// Where it crosses the axis.
    pub at: f64,
    pub vertical: bool,
    /// Its ends along the other axis, if it does not go from edge to edge.
    pub ends: Option<(f64, f64)>,
    /// Written along it if there is room, else in the legend.
    pub label: Option<String>,
    pub colour: Colour,
    pub dash: Dash,
    /// Whether it belongs to the right axis.
    pub right: bool,
    /// Whether the table lists it; a mere zero line is not listed.
    pub listed: bool,
    pub meaning: Meaning,
}

impl Guide {
    /// A horizontal line, listed if it has a label.
    pub fn horizontal(at: f64, label: Option<&str>, colour: Colour, dash: Dash) -> Self {
        let label = label.map(str::to_owned);
        let listed = label.is_some();
        let meaning = Meaning::default();
        Self { at, vertical: false, ends: None, listed, label, colour, dash, right: false, meaning }
    }

    /// A vertical line, listed if it has a label.
    pub fn vertical(at: f64, label: Option<&str>, colour: Colour, dash: Dash) -> Self {
        Self { vertical: true, ..Self::horizontal(at, label, colour, dash) }
    }

    /// From one value of the other axis to another.
    pub fn within(self, ends: (f64, f64)) -> Self {
        Self { ends: Some(ends), ..self }
    }

    /// Sets the meaning.
    pub fn meaning(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }
}

/// A legend entry that belongs to no single series, such as the meaning of a dash pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub name: String,
    pub colour: Colour,
    pub dash: Dash,
    /// Shown alone, in place of a line.
    pub marker: Option<Marker>,
}

/// Anything in a panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    Line(Line),
    Band(Band),
    Bars(Bars),
    Strip(Strip),
    Spot(Spot),
    Region(Region),
    Guide(Guide),
    Remark(Remark),
    Key(Key),
}

macro_rules! into_element {
    ($($kind:ident),*) => {
        $(impl From<$kind> for Element {
            fn from(it: $kind) -> Self {
                Self::$kind(it)
            }
        })*
    };
}
into_element!(Line, Band, Bars, Strip, Spot, Region, Guide, Remark, Key);
