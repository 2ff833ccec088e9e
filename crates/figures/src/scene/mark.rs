//! What is drawn where, so that tests can check a layout.
#![expect(missing_docs, reason = "the other names say it")]

use super::{Point, Rect};

/// A kind of mark.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// By its label source.
    Text(String),
    Legend,
    /// The plot area of a panel, by index.
    Panel(usize),
    /// A value, whether it has a marker or not.
    Value {
        series: String,
    },
    Bar {
        series: String,
    },
    /// A line across a panel.
    Guide,
    /// A line from a value to its name.
    Leader {
        from: Point,
        to: Point,
    },
    /// The user's image.
    Image,
}

/// Something on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub role: Role,
    /// The box that it covers; the point itself for a value.
    pub area: Rect,
}
