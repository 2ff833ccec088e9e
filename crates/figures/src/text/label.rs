//! Text that has been set: what is drawn where, and how much room it takes.

use super::face::Face;
use super::line::Line;
use super::style::{Align, TextStyle};
use crate::scene::{Affine, Colour, Path, Rect};
use std::ops::Range;
use std::sync::Arc;

/// Text that has been set. Places are relative to the left end of its first line's baseline; y grows downwards.
#[derive(Debug)]
pub struct Label {
    source: String,
    look: String,
    text: String,
    area: Rect,
    body: Rect,
    pieces: Vec<Piece>,
}

/// A part of a label.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// Glyphs.
    Run(Run),
    /// An outline, filled, or stroked where a width is given.
    Shape { path: Path, stroke: Option<f64>, colour: Colour },
}

/// Glyphs of one face and size.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) face: Arc<Face>,
    pub(crate) size: f64,
    pub(crate) colour: Colour,
    pub(crate) glyphs: Vec<Glyph>,
    /// What they say.
    pub(crate) text: String,
    /// Where the next glyph would stand.
    pub(crate) end: f64,
}

/// A glyph and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Glyph {
    pub(crate) id: u32,
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The bytes of the run's text that it stands for.
    pub(crate) text: Range<usize>,
}

/// From baseline to baseline, and the least that two lines keep between their inks; shares of the size.
const PITCH: f64 = 1.22;
const CLEARANCE: f64 = 0.12;

impl Label {
    /// Puts lines above one another. `capital` is the height of capitals.
    pub(super) fn stack(
        source: &str,
        style: &TextStyle,
        align: Align,
        capital: f64,
        lines: Vec<Line>,
    ) -> Self {
        let width = lines.iter().map(|line| line.width).fold(0.0, f64::max);
        let (mut baseline, mut depth) = (0.0, 0.0_f64);
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

    /// What was asked for.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Size, weight and ink, such as `8pt bold #333333`.
    pub fn look(&self) -> String {
        self.look.clone()
    }

    /// What it says, in plain characters and line by line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The box around all ink and the body.
    pub fn area(&self) -> Rect {
        self.area
    }

    /// The box that aligns: from the height of the first line's capitals to the last line's baseline, as wide as the
    /// widest line, whatever ink sticks out of it.
    pub fn body(&self) -> Rect {
        self.body
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
}

impl Piece {
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
                    (glyph.x, glyph.y) = (glyph.x + dx, glyph.y + dy);
                }
            }
            Self::Shape { path, .. } => *path = path.mapped(map),
        }
        self
    }
}

impl Run {
    /// Takes an outline of the face to where the glyph stands.
    pub(crate) fn place(&self, glyph: &Glyph) -> Affine {
        Affine::shift(glyph.x, glyph.y).after(&Affine::scale(self.size / self.face.units()))
    }

    fn ink(&self, glyph: &Glyph) -> Option<Rect> {
        self.face.outline(glyph.id).ink.map(|ink| self.place(glyph).cover(&ink))
    }

    /// Whether a glyph like this continues the run.
    pub(super) fn takes(&self, face: &Arc<Face>, size: f64, y: f64, colour: Colour) -> bool {
        let level = self.glyphs.last().is_none_or(|last| (last.y - y).abs() < 1e-9);
        level && Arc::ptr_eq(&self.face, face) && (self.size - size).abs() < 1e-9 && self.colour == colour
    }
}
