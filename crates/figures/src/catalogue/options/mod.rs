//! What an author decides about figures: which runs they show, how large they are, what is written on them and how values
//! look. A command line, a file and Python set the same keys ([`KEYS`]) of one type, and each is checked in one place.

mod file;
mod keys;
mod read;
mod select;
mod shape;
mod style;
mod venue;

pub(super) use file::from;
pub use file::{Assignment, OptionError, assignments};
pub use keys::KEYS;
pub use venue::{Span, VENUES, Venue};

use super::composed::keys::Key;
use super::convention::Convention;
use crate::plot::{Marker, Spread};
use crate::scene::{Colour, Ground};
use crate::text::Family;
use record::nearest;
use std::collections::BTreeMap;
use toml::Value;

/// How the values of an axis are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Evenly.
    Linear,
    /// By orders of magnitude.
    Log,
    /// By orders of magnitude on both sides of zero.
    SymLog,
}

/// Which of a panel's axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    X,
    Y,
}

/// An axis of a panel, which goes by its letter or its name.
pub type AxisOf = (String, Direction);

/// What an author decides; what is left open follows from the figure and its style.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "`KEYS` says what each does")]
pub struct Options {
    pub rules: Vec<String>,
    pub settings: BTreeMap<String, Vec<Value>>,
    pub labels: BTreeMap<String, String>,
    pub colours: BTreeMap<String, Colour>,
    pub markers: BTreeMap<String, Marker>,
    pub scales: BTreeMap<AxisOf, Division>,
    pub ranges: BTreeMap<AxisOf, (f64, f64)>,
    pub panel: Option<String>,
    pub bare: bool,
    pub style: Option<String>,
    pub venue: Option<&'static Venue>,
    pub span: Option<Span>,
    /// In inches.
    pub width: Option<f64>,
    /// In inches.
    pub height: Option<f64>,
    pub columns: Option<usize>,
    pub font: Option<Family>,
    pub ground: Ground,
    pub svg_text: bool,
    pub spread: Option<Spread>,
    pub convention: Option<Convention>,
}

impl Options {
    /// Sets a key of [`KEYS`]. A later value replaces an earlier one; of a key that names rules or panels, for these alone.
    /// An error says what the key takes instead.
    pub fn set(&mut self, key: &str, value: &Value) -> Result<(), String> {
        match key {
            "rules" => self.rules = read::words(value)?,
            "settings" => self.settings.extend(read::settings(value)?),
            "label" => self.labels.extend(read::pairs(value, read::text)?),
            "colour" => self.colours.extend(read::pairs(value, read::colour)?),
            "marker" => self.markers.extend(read::pairs(value, read::marker)?),
            "scale" => self.scales.extend(read::axes(value, read::division)?),
            "range" => self.ranges.extend(read::axes(value, read::range)?),
            "panel" => self.panel = Some(read::text(value)?),
            "bare" => self.bare = read::flag(value)?,
            "style" => self.style = Some(read::style(value)?),
            "venue" => self.venue = Some(read::venue(value)?),
            "span" => self.span = Some(read::span(value)?),
            "width" => self.width = Some(read::inches(value)?),
            "height" => self.height = Some(read::inches(value)?),
            "columns" => self.columns = Some(read::columns(value)?),
            "font" => self.font = Some(read::font(value)?),
            "ground" => self.ground = read::ground(value)?,
            "spread" => self.spread = Some(read::spread(value)?),
            "convention" => self.convention = Some(read::convention(value)?),
            "svg_text" => self.svg_text = read::flag(value)?,
            other => return Err(unknown(other)),
        }
        Ok(())
    }
}

/// Why an option makes no sense, with the records or beside the others.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key}`: {message}")]
pub struct Refusal {
    /// One of [`KEYS`].
    pub key: &'static str,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Refusal {
    fn new(key: &'static str, message: String) -> Self {
        Self { key, message }
    }
}

/// What to say of a key that does not exist.
fn unknown(key: &str) -> String {
    let names = || KEYS.iter().map(|known: &Key| known.name);
    match nearest(key, names(), 2) {
        Some(close) => format!("unknown key `{key}`: did you mean `{close}`?"),
        None => format!("unknown key `{key}`: there are {}", names().collect::<Vec<_>>().join(", ")),
    }
}
