//! What is drawn where, for tests and for interactive copies of a picture.

use super::Rect;

/// What something on the page is.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Text, as it was given.
    Text(String),
    /// A legend with its frame.
    Legend,
    /// The area between the axes of a panel, by its number.
    Panel(usize),
    /// A value of a series, where its marker is or would be.
    Value {
        /// The series.
        series: String,
    },
    /// A bar of a series.
    Bar {
        /// The series.
        series: String,
    },
    /// An image of the user's.
    Image,
}

/// Something on the page and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What it is.
    pub role: Role,
    /// The box that it covers; of a value, the point itself.
    pub area: Rect,
}
