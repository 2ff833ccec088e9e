//! How a label looks.

use super::TextError;
use crate::scene::Colour;

/// Size, weight, slope and ink of a label.
#[derive(Clone, Debug, PartialEq)]
pub struct TextStyle {
    /// Size of the letters, in points.
    pub size: f64,
    /// Whether the text is bold. Formulas stay regular, and bold wins over italic.
    pub bold: bool,
    /// Whether the text is italic.
    pub italic: bool,
    /// Ink.
    pub colour: Colour,
}

/// How lines of unequal length lie above one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Align {
    /// Flush left.
    Left,
    /// Centred.
    Centre,
    /// Flush right.
    Right,
}

impl TextStyle {
    /// Sizes beyond these are slips of the pen.
    const SIZES: std::ops::RangeInclusive<f64> = 0.5..=1000.0;

    pub(super) fn check(&self) -> Result<(), TextError> {
        // A range holds no NaN.
        if Self::SIZES.contains(&self.size) { Ok(()) } else { Err(TextError::Size { size: self.size }) }
    }

    /// In words, such as `8pt bold #333333`.
    pub(super) fn words(&self) -> String {
        let size = (self.size * 100.0).round() / 100.0;
        let bold = if self.bold { " bold" } else { "" };
        let italic = if self.italic { " italic" } else { "" };
        format!("{size}pt{bold}{italic} {}", self.colour.css())
    }
}

impl Align {
    /// Which share of the room that a line leaves lies before it.
    pub(super) fn share(self) -> f64 {
        match self {
            Self::Left => 0.0,
            Self::Centre => 0.5,
            Self::Right => 1.0,
        }
    }
}
