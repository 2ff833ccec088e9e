//! How a label looks.

use super::TextError;
use crate::scene::Colour;

/// Size, weight, slope and colour of a label.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the other names say it")]
pub struct TextStyle {
    /// In points.
    pub size: f64,
    /// Takes precedence over italic; formulas stay regular.
    pub bold: bool,
    pub italic: bool,
    pub colour: Colour,
}

/// Alignment of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Align {
    Left,
    Centre,
}

impl TextStyle {
    /// Sizes beyond these are typing errors.
    const SIZES: std::ops::RangeInclusive<f64> = 0.5..=1000.0;

    pub(super) fn check(&self) -> Result<(), TextError> {
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
    /// The share of a line's free room that is before it.
    pub(super) fn share(self) -> f64 {
        match self {
            Self::Left => 0.0,
            Self::Centre => 0.5,
        }
    }
}
