//! One line of a label while it is being set.

use super::face::Face;
use super::formula::{Formula, Mark};
use super::label::{Glyph, Piece, Run};
use crate::scene::{Affine, Colour, Rect};
use std::sync::Arc;

/// A line; (0, 0) is the start of its baseline.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) pieces: Vec<Piece>,
    pub(super) width: f64,
    /// What it says, for those who read without seeing.
    pub(super) text: String,
}

impl Line {
    /// Adds text that one face has all the glyphs of.
    pub(super) fn push_text(&mut self, text: &str, face: &Arc<Face>, size: f64, colour: Colour) {
        let scale = size / face.units();
        let mut glyphs = Vec::new();
        for shaped in face.shape(text) {
            let (dx, dy) = shaped.offset;
            let (x, y) = (self.width + dx * scale, dy * scale);
            glyphs.push(Glyph { id: shaped.id, x, y, text: shaped.text });
            self.width += shaped.advance * scale;
        }
        self.text.push_str(text);
        if !glyphs.is_empty() {
            let run =
                Run { face: face.clone(), size, colour, glyphs, text: text.to_owned(), end: self.width };
            self.pieces.push(Piece::Run(run));
        }
    }

    /// Adds a formula.
    pub(super) fn push_formula(&mut self, formula: &Formula, size: f64, colour: Colour) {
        let start = self.width;
        let first = self.pieces.len();
        for mark in &formula.marks {
            match mark {
                Mark::Glyph { face, id, x, y, scale, text, colour: own } => {
                    self.text.push(*text);
                    let (x, y, size) = (start + x * size, y * size, scale * size);
                    let advance = face.outline(*id).advance / face.units() * size;
                    let colour = own.unwrap_or(colour);
                    let glyph =
                        |before: usize| Glyph { id: *id, x, y, text: before..before + text.len_utf8() };
                    // Glyphs of one face, size and height make one run, so that words stay words in a PDF.
                    match self.pieces[first..].last_mut() {
                        Some(Piece::Run(run)) if run.takes(face, size, y, colour) => {
                            run.glyphs.push(glyph(run.text.len()));
                            run.text.push(*text);
                            run.end = x + advance;
                        }
                        _ => self.pieces.push(Piece::Run(Run {
                            face: face.clone(),
                            size,
                            colour,
                            glyphs: vec![glyph(0)],
                            text: text.to_string(),
                            end: x + advance,
                        })),
                    }
                }
                Mark::Shape { path, stroke, colour: own } => {
                    let path = path.mapped(&Affine::shift(start, 0.0).after(&Affine::scale(size)));
                    let (stroke, colour) = (stroke.map(|width| width * size), own.unwrap_or(colour));
                    self.pieces.push(Piece::Shape { path, stroke, colour });
                }
            }
        }
        self.width += formula.width * size;
    }

    /// The box around all that is inked; nothing for spaces.
    pub(super) fn ink(&self) -> Option<Rect> {
        self.pieces.iter().filter_map(Piece::ink).reduce(|a, b| a.around_both(&b))
    }
}
