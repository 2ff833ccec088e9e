//! Typeset text: what is drawn where, and how much room it takes.

use super::face::Face;
use super::line::TextLine;
use super::style::{Align, TextStyle};
use crate::scene::{Affine, Colour, Path, Rect};
use std::ops::Range;
use std::sync::Arc;

/// Typeset text. Coordinates are relative to the start of its first baseline; y points down.
#[derive(Clone, Debug)]
pub struct Label {
    source: String,
    look: String,
    text: String,
    area: Rect,
    body: Rect,
    pieces: Vec<LabelPiece>,
}

#[derive(Clone, Debug)]
pub(crate) enum LabelPiece {
    Run(Run),
    /// An outline, filled, or stroked where a width is given.
    Shape {
        path: Path,
        stroke: Option<f64>,
        colour: Colour,
    },
}

/// Glyphs of one face and size.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) face: Arc<Face>,
    pub(crate) size: f64,
    pub(crate) colour: Colour,
    pub(crate) glyphs: Vec<Glyph>,
    /// The text that they represent.
    pub(crate) text: String,
    /// Where the next glyph would be.
    pub(crate) end: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Glyph {
    pub(crate) id: u32,
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The bytes of the run's text that it represents.
    pub(crate) text: Range<usize>,
}

/// Distance of baselines, and the least distance between the ink of two lines, as shares of the font size.
const PITCH: f64 = 1.22;
const CLEARANCE: f64 = 0.12;

impl Label {
    /// Stacks lines. `capital` is the height of capitals.
    pub(super) fn stack(
        source: &str,
        style: &TextStyle,
        align: Align,
        capital: f64,
        lines: Vec<TextLine>,
    ) -> Self {
        let width = lines.iter().map(|line| line.width).fold(0.0, f64::max);
        let mut baseline = 0.0;
        let mut depth = 0.0_f64;
        let mut area: Option<Rect> = None;
        let mut pieces = Vec::new();
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        let text = texts.join("\n");
        for (i, line) in lines.into_iter().enumerate() {
            let ink = line.ink();
            if i > 0 {
                let rise = ink.map_or(0.0, |ink| -ink.y);
                baseline += (PITCH * style.size).max(depth + rise + CLEARANCE * style.size);
            }
            depth = ink.map_or(0.0, |ink| ink.bottom());
            let map = Affine::shift(align.share() * (width - line.width), baseline);
            if let Some(ink) = ink.map(|ink| map.cover(&ink)) {
                area = Some(area.map_or(ink, |area| area.around_both(&ink)));
            }
            pieces.extend(line.pieces.into_iter().map(|piece| piece.shifted(&map)));
        }
        let body = Rect::new(0.0, -capital, width, capital + baseline);
        let area = area.map_or(body, |ink| ink.around_both(&body));
        Self { source: source.to_owned(), look: style.words(), text, area, body, pieces }
    }

    /// Its label source.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Size, weight and colour, such as `8pt bold #333333`.
    pub fn look(&self) -> String {
        self.look.clone()
    }

    /// Its text in plain characters, line by line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The box around all ink and the body.
    pub fn area(&self) -> Rect {
        self.area
    }

    /// The box used for alignment: from the capital height of the first line to the last baseline, as wide as the widest
    /// line. Ink may stick out of it.
    pub fn body(&self) -> Rect {
        self.body
    }

    /// The label in other colours.
    pub(crate) fn recoloured(&self, other: impl Fn(Colour) -> Colour) -> Self {
        let mut label = self.clone();
        for piece in &mut label.pieces {
            let (LabelPiece::Run(Run { colour, .. }) | LabelPiece::Shape { colour, .. }) = piece;
            *colour = other(*colour);
        }
        label
    }

    pub(crate) fn pieces(&self) -> &[LabelPiece] {
        &self.pieces
    }
}

impl LabelPiece {
    pub(super) fn ink(&self) -> Option<Rect> {
        match self {
            Self::Run(run) => {
                run.glyphs.iter().filter_map(|glyph| run.ink(glyph)).reduce(|a, b| a.around_both(&b))
            }
            Self::Shape { path, stroke, .. } => {
                path.cover().map(|area| area.grown(stroke.unwrap_or(0.0) / 2.0))
            }
        }
    }

    fn shifted(mut self, map: &Affine) -> Self {
        let [.., dx, dy] = map.0;
        match &mut self {
            Self::Run(run) => {
                run.end += dx;
                for glyph in &mut run.glyphs {
                    glyph.x += dx;
                    glyph.y += dy;
                }
            }
            Self::Shape { path, .. } => *path = path.mapped(map),
        }
        self
    }
}

impl Run {
    /// Takes the outline of a glyph to its place in the label.
    pub(crate) fn place(&self, glyph: &Glyph) -> Affine {
        Affine::shift(glyph.x, glyph.y).after(&Affine::scale(self.size / self.face.units()))
    }

    fn ink(&self, glyph: &Glyph) -> Option<Rect> {
        self.face.outline(glyph.id).ink.map(|ink| self.place(glyph).cover(&ink))
    }

    /// Whether such a glyph continues the run.
    pub(super) fn takes(&self, face: &Arc<Face>, size: f64, y: f64, colour: Colour) -> bool {
        let level = self.glyphs.last().is_none_or(|last| (last.y - y).abs() < 1e-9);
        level && Arc::ptr_eq(&self.face, face) && (self.size - size).abs() < 1e-9 && self.colour == colour
    }
}
