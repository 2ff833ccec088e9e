//! What a panel shows. Values stand here as they will stand in the table beside the picture; places on the page come
//! later.

use super::palette::{Dash, Look};
use crate::scene::{Colour, Meaning};

/// A value of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Datum {
    /// Along the horizontal axis.
    pub x: f64,
    /// Along the vertical axis; NaN where there is none.
    pub y: f64,
    /// Whether it is reliable; a value that is not is drawn hollow.
    pub firm: bool,
}

impl Datum {
    /// A reliable value.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, firm: true }
    }
}

/// A line through values, broken where one is missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name in the table.
    pub name: String,
    /// What the legend calls it; none for no entry.
    pub key: Option<String>,
    /// Values, from the left.
    pub data: Vec<Datum>,
    /// How it looks.
    pub look: Look,
    /// Width, as a share of the usual.
    pub weight: f64,
    /// Whether values carry markers.
    pub marked: bool,
    /// Whether it belongs to the axis on the right.
    pub right: bool,
    /// What it stands for.
    pub meaning: Meaning,
}

impl Line {
    /// A line with markers and an entry in the legend.
    pub fn new(name: &str, data: Vec<Datum>, look: Look) -> Self {
        let key = Some(name.to_owned());
        let meaning = Meaning::default();
        Self { name: name.to_owned(), key, data, look, weight: 1.0, marked: true, right: false, meaning }
    }

    /// That stands for this.
    pub fn meaning(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }

    /// Without markers.
    pub fn plain(self) -> Self {
        Self { marked: false, ..self }
    }

    /// Without an entry in the legend.
    pub fn unlisted(self) -> Self {
        Self { key: None, ..self }
    }
}

/// The area between two curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Its name in the table.
    pub name: String,
    /// What the legend calls it; none for no entry.
    pub key: Option<String>,
    /// x, lower and upper value.
    pub data: Vec<(f64, f64, f64)>,
    /// Ink.
    pub colour: Colour,
    /// What it stands for.
    pub meaning: Meaning,
}

/// A bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// Its middle.
    pub x: f64,
    /// Its height; NaN where there is none.
    pub y: f64,
    /// Where it starts.
    pub base: f64,
    /// Half the length of the error bar; none where nothing is known.
    pub error: Option<f64>,
    /// What is printed at its end; in place of the bar, where it has no height.
    pub value: Option<String>,
    /// Values that it is the mean of, with their seeds.
    pub points: Vec<(Option<u64>, f64)>,
    /// What it stands for, beside what all bars of its kind do.
    pub meaning: Meaning,
}

/// Bars of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// Their name in the table.
    pub name: String,
    /// What the legend calls them; none for no entry.
    pub key: Option<String>,
    /// The bars.
    pub bars: Vec<Bar>,
    /// Width, in units of the horizontal axis.
    pub width: f64,
    /// Ink.
    pub colour: Colour,
    /// Whether they are only outlined: values from elsewhere.
    pub hollow: bool,
    /// What they stand for.
    pub meaning: Meaning,
}

/// A lone value with its name beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Its name in the table.
    pub name: String,
    /// What is written beside it.
    pub label: Option<String>,
    /// What the legend calls it; none for no entry.
    pub key: Option<String>,
    /// Value.
    pub at: Datum,
    /// Half the lengths of its error bars.
    pub error: (Option<f64>, Option<f64>),
    /// How it looks.
    pub look: Look,
    /// Size, as a share of the usual.
    pub size: f64,
    /// What it stands for.
    pub meaning: Meaning,
}

/// A shaded part of a panel. Infinite ends lie at its edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// From and to along the horizontal axis.
    pub x: (f64, f64),
    /// From and to along the vertical axis.
    pub y: (f64, f64),
    /// Ink.
    pub fill: Colour,
    /// What is written in it where there is room.
    pub name: Option<String>,
    /// Ink of the name.
    pub ink: Colour,
}

/// A line across the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Guide {
    /// Where it crosses the axis.
    pub at: f64,
    /// Whether it stands upright.
    pub upright: bool,
    /// What it means: written along it where there is room, else in the legend.
    pub label: Option<String>,
    /// Ink.
    pub colour: Colour,
    /// Kind of line.
    pub dash: Dash,
    /// Whether it belongs to the axis on the right.
    pub right: bool,
    /// Whether the table lists it: true for measured and agreed values, false for a mere zero line.
    pub listed: bool,
    /// What it stands for.
    pub meaning: Meaning,
}

impl Guide {
    /// A lying line.
    pub fn lying(at: f64, label: Option<&str>, colour: Colour, dash: Dash) -> Self {
        let label = label.map(str::to_owned);
        let listed = label.is_some();
        let meaning = Meaning::default();
        Self { at, upright: false, listed, label, colour, dash, right: false, meaning }
    }

    /// An upright line.
    pub fn upright(at: f64, label: Option<&str>, colour: Colour, dash: Dash) -> Self {
        Self { upright: true, ..Self::lying(at, label, colour, dash) }
    }

    /// That stands for this.
    pub fn meaning(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }
}

/// A remark with an arrow to a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The remark.
    pub text: String,
    /// What it is about.
    pub target: (f64, f64),
}

/// An entry of the legend that belongs to no single series, such as what a kind of line means.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// What it says.
    pub name: String,
    /// Ink.
    pub colour: Colour,
    /// Kind of line.
    pub dash: Dash,
}

/// Something in a panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// A line.
    Line(Line),
    /// The area between two curves.
    Band(Band),
    /// Bars.
    Bars(Bars),
    /// A lone value.
    Spot(Spot),
    /// A shaded part.
    Region(Region),
    /// A line across.
    Guide(Guide),
    /// A remark.
    Note(Note),
    /// An entry of the legend.
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
into_element!(Line, Band, Bars, Spot, Region, Guide, Note, Key);
