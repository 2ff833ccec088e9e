//! Sizes and colours of everything that is not data, in one place. `paper` fits the text width of a NeurIPS page, unscaled;
//! `slides` is legible from the back of a room.

use crate::scene::{Colour, Ground};
use crate::text::{Family, TextStyle};

/// How pictures look. Lengths are in points, 1/72 inch.
#[derive(Clone, Debug)]
pub struct Style {
    /// Typeface.
    pub family: Family,
    /// Width of a figure.
    pub width: f64,
    /// Font size of panel titles.
    pub title: f64,
    /// Font size of axis titles.
    pub label: f64,
    /// Font size of tick labels and legends.
    pub tick: f64,
    /// Font size of remarks inside panels.
    pub note: f64,
    /// Width of data lines.
    pub line: f64,
    /// Width of axes and ticks.
    pub frame: f64,
    /// Diameter of markers on lines.
    pub marker: f64,
    /// Diameter of single markers.
    pub spot: f64,
    /// Space between things that belong together.
    pub gap: f64,
    /// Space between panels.
    pub gutter: f64,
    /// The narrowest plot area for which panels are still put side by side.
    pub narrowest: f64,
    /// Height of a figure, if it is not to follow from the content.
    pub height: Option<f64>,
    /// Greatest height that may follow from the content; panels become flatter as far as they can.
    pub tallest: Option<f64>,
    /// Whether a figure that is still taller is refused.
    pub strict: bool,
    /// Whether titles, boxes and foot stand in a file of their own in place of the picture.
    pub bare: bool,
    /// What the picture is drawn on.
    pub ground: Ground,
    /// Whether letters of an SVG file are text in place of outlines.
    pub svg_text: bool,
}

/// Text, axes and ticks.
pub const INK: Colour = Colour::hex(0x1a1a1a);
/// Secondary things: right axes, remarks.
pub const MUTED: Colour = Colour::hex(0x5f5f5f);
/// Grid at labelled ticks.
pub(super) const GRID: Colour = Colour::hex(0xdedede);
/// Grid between labelled ticks.
pub(super) const GRID_MINOR: Colour = Colour::hex(0xefefef);
/// Reference lines.
pub const GUIDE: Colour = Colour::hex(0x4a4a4a);
/// Frames of legends and caption boxes, and lines between rows.
pub const BORDER: Colour = Colour::hex(0xb5b5b5);
/// Background of caption boxes.
pub(super) const PAPER: Colour = Colour::hex(0xf7f7f7);
/// Background of panels that have nothing to show.
pub(super) const VOID: Colour = Colour::hex(0xf4f4f4);
pub(super) const WHITE: Colour = Colour::hex(0xffffff);

impl Style {
    /// Names that [`Self::named`] knows.
    pub const NAMES: [&str; 2] = ["paper", "slides"];

    /// For papers: serif, 5.5 inches wide.
    pub fn paper() -> Self {
        Self {
            family: Family::NewComputerModern,
            width: 5.5 * 72.0,
            title: 8.0,
            label: 8.0,
            tick: 7.0,
            note: 6.5,
            line: 1.15,
            frame: 0.6,
            marker: 4.0,
            spot: 5.6,
            gap: 3.0,
            gutter: 11.0,
            narrowest: 80.0,
            height: None,
            tallest: Some(9.0 * 72.0),
            strict: false,
            bare: false,
            ground: Ground::White,
            svg_text: false,
        }
    }

    /// For slides: sans serif, large, 10 inches wide.
    pub fn slides() -> Self {
        Self {
            family: Family::Sans,
            width: 10.0 * 72.0,
            title: 15.0,
            label: 14.5,
            tick: 12.5,
            note: 12.0,
            line: 2.4,
            frame: 1.1,
            marker: 7.5,
            spot: 10.5,
            gap: 5.0,
            gutter: 18.0,
            narrowest: 135.0,
            tallest: None,
            ..Self::paper()
        }
    }

    /// The style called `name`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "paper" => Some(Self::paper()),
            "slides" => Some(Self::slides()),
            _ => None,
        }
    }

    pub(crate) fn title_text(&self) -> TextStyle {
        TextStyle { size: self.title, bold: true, italic: false, colour: INK }
    }

    pub(crate) fn label_text(&self, colour: Colour) -> TextStyle {
        TextStyle { size: self.label, bold: false, italic: false, colour }
    }

    pub(crate) fn tick_text(&self, colour: Colour) -> TextStyle {
        TextStyle { size: self.tick, bold: false, italic: false, colour }
    }

    pub(crate) fn note_text(&self, colour: Colour) -> TextStyle {
        TextStyle { size: self.note, bold: false, italic: true, colour }
    }

    /// For numbers at bars.
    pub(crate) fn value_text(&self) -> TextStyle {
        TextStyle { size: self.note, bold: false, italic: false, colour: INK }
    }

    pub(crate) fn name_text(&self, colour: Colour) -> TextStyle {
        TextStyle { size: self.tick, bold: true, italic: false, colour }
    }

    /// Length of labelled ticks.
    pub(crate) fn tick_length(&self) -> f64 {
        0.4 * self.tick
    }
}
