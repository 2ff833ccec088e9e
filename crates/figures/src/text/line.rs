//! One line of a label during typesetting.

use super::face::Face;
use super::formula::{Formula, FormulaMark};
use super::label::{Glyph, LabelPiece, Run};
use crate::scene::{Affine, Colour, Rect};
use std::sync::Arc;

/// A line; (0, 0) is the start of its baseline.
#[derive(Debug, Default)]
pub(super) struct TextLine {
    pub(super) pieces: Vec<LabelPiece>,
    pub(super) width: f64,
    /// Its plain text, for screen readers.
    pub(super) text: String,
}

impl TextLine {
    /// Adds text whose glyphs are all in one face.
    pub(super) fn push_text(&mut self, text: &str, face: &Arc<Face>, size: f64, colour: Colour) {
        let scale = size / face.units();
        let mut glyphs = Vec::new();
        for shaped in face.shape(text) {
            let (dx, dy) = shaped.offset;
            let x = self.width + dx * scale;
            glyphs.push(Glyph { id: shaped.id, x, y: dy * scale, text: shaped.text });
            self.width += shaped.advance * scale;
        }
        self.text.push_str(text);
        if !glyphs.is_empty() {
            let run =
                Run { face: face.clone(), size, colour, glyphs, text: text.to_owned(), end: self.width };
            self.pieces.push(LabelPiece::Run(run));
        }
    }

    /// Adds a formula.
    pub(super) fn push_formula(&mut self, formula: &Formula, size: f64, colour: Colour) {
        let start = self.width;
        let first = self.pieces.len();
        for mark in &formula.marks {
            match mark {
                FormulaMark::Glyph { face, id, x, y, scale, text, colour: glyph_colour } => {
                    self.text.push(*text);
                    let x = start + x * size;
                    let y = y * size;
                    let size = scale * size;
                    let advance = face.outline(*id).advance / face.units() * size;
                    let colour = glyph_colour.unwrap_or(colour);
                    let glyph =
                        |before: usize| Glyph { id: *id, x, y, text: before..before + text.len_utf8() };
                    // Glyphs of one face, size and height form one run, so that words stay whole in a PDF.
                    match self.pieces[first..].last_mut() {
                        Some(LabelPiece::Run(run)) if run.takes(face, size, y, colour) => {
                            run.glyphs.push(glyph(run.text.len()));
                            run.text.push(*text);
                            run.end = x + advance;
                        }
                        _ => self.pieces.push(LabelPiece::Run(Run {
                            face: face.clone(),
                            size,
                            colour,
                            glyphs: vec![glyph(0)],
                            text: text.to_string(),
                            end: x + advance,
                        })),
                    }
                }
                FormulaMark::Shape { path, stroke, colour: shape_colour } => {
                    let path = path.mapped(&Affine::shift(start, 0.0).after(&Affine::scale(size)));
                    let stroke = stroke.map(|width| width * size);
                    let colour = shape_colour.unwrap_or(colour);
                    self.pieces.push(LabelPiece::Shape { path, stroke, colour });
                }
            }
        }
        self.width += formula.width * size;
    }

    /// The bounding box of its ink; `None` for spaces.
    pub(super) fn ink(&self) -> Option<Rect> {
        self.pieces.iter().filter_map(LabelPiece::ink).reduce(|a, b| a.around_both(&b))
    }
}
