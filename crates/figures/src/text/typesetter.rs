//! Typesets labels in one family of typefaces.

use super::face::Face;
use super::formula::{self, Formula};
use super::line::TextLine;
use super::source::{self, Span};
use super::style::{Align, TextStyle};
use super::{Family, Label, Problem, TextError, bundled, substitute};
use crate::scene::Colour;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Typesets and caches labels.
#[derive(Debug)]
pub struct Typesetter {
    regular: Arc<Face>,
    bold: Arc<Face>,
    italic: Arc<Face>,
    fallback: Arc<Face>,
    digits: Option<Arc<Face>>,
    formulas: Mutex<BTreeMap<String, Arc<Formula>>>,
    labels: Mutex<BTreeMap<LabelKey, Arc<Label>>>,
}

/// What identifies a label: source, size, other style, alignment, and how it is fitted into a width.
type LabelKey = (String, u64, (bool, bool, Colour), Align, Option<(u64, bool)>);

/// How a label is fitted into a width.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fit {
    /// No limit.
    Free,
    /// In as many lines as needed.
    Wrap(f64),
    /// On one line, cut if necessary.
    Shorten(f64),
}

impl Typesetter {
    /// A typesetter with the faces of a family.
    pub fn new(family: &Family) -> Result<Self, TextError> {
        let [regular, bold, italic] = family.faces()?;
        Ok(Self {
            digits: substitute::digits(&regular),
            regular,
            bold,
            italic,
            fallback: bundled::math(),
            formulas: Mutex::default(),
            labels: Mutex::default(),
        })
    }

    /// Typesets a label; its lines are centred.
    pub fn set(&self, source: &str, style: &TextStyle) -> Result<Arc<Label>, TextError> {
        self.label(source, style, Align::Centre, Fit::Free)
    }

    /// Typesets a label in lines no wider than `width`. Lines break at spaces outside of formulas, and after `-`, `_` and
    /// `/` in words that are too wide; what is still too wide is cut and ends in `…`.
    pub fn wrap(
        &self,
        source: &str,
        style: &TextStyle,
        width: f64,
        align: Align,
    ) -> Result<Arc<Label>, TextError> {
        self.label(source, style, align, Fit::Wrap(width))
    }

    /// Typesets a label on one line no wider than `width`; the excess is replaced by `…`. A formula is kept or dropped
    /// whole.
    pub fn shorten(&self, source: &str, style: &TextStyle, width: f64) -> Result<Arc<Label>, TextError> {
        self.label(source, style, Align::Left, Fit::Shorten(width))
    }

    fn label(
        &self,
        source: &str,
        style: &TextStyle,
        align: Align,
        fit: Fit,
    ) -> Result<Arc<Label>, TextError> {
        let room = match fit {
            Fit::Free => None,
            Fit::Wrap(width) => Some((width.to_bits(), true)),
            Fit::Shorten(width) => Some((width.to_bits(), false)),
        };
        let look = (style.bold, style.italic, style.colour);
        let key = (source.to_owned(), style.size.to_bits(), look, align, room);
        if let Some(label) = self.labels.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(label.clone());
        }
        style.check()?;
        let lines = self.lines(source, style, fit).map_err(|problem| problem.in_label(source))?;
        let capital = self.face(style).capital() * style.size;
        let label = Arc::new(Label::stack(source, style, align, capital, lines));
        self.labels.lock().unwrap_or_else(PoisonError::into_inner).insert(key, label.clone());
        Ok(label)
    }

    fn lines(&self, source: &str, style: &TextStyle, fit: Fit) -> Result<Vec<TextLine>, Problem> {
        let lines = source::lines(source)?;
        match fit {
            Fit::Free => lines.iter().map(|parts| self.line(parts, style)).collect(),
            Fit::Wrap(width) => self.wrapped(&lines, style, width),
            Fit::Shorten(width) => {
                // TextLine breaks become spaces.
                let mut parts = Vec::new();
                for (i, line) in lines.iter().enumerate() {
                    source::push_text(&mut parts, if i > 0 { " ".to_owned() } else { String::new() });
                    source::append(&mut parts, line);
                }
                Ok(vec![self.shortened(&parts, style, width)?])
            }
        }
    }

    pub(super) fn line(&self, parts: &[Span], style: &TextStyle) -> Result<TextLine, Problem> {
        let mut line = TextLine::default();
        for part in parts {
            match part {
                Span::Text(text) => self.text(text, style, &mut line)?,
                Span::Math(source) => line.push_formula(&*self.formula(source)?, style.size, style.colour),
            }
        }
        Ok(line)
    }

    fn face(&self, style: &TextStyle) -> &Arc<Face> {
        match (style.bold, style.italic) {
            (true, _) => &self.bold,
            (false, true) => &self.italic,
            (false, false) => &self.regular,
        }
    }

    /// Typesets text, each stretch in the first face that has its glyphs.
    fn text(&self, text: &str, style: &TextStyle, line: &mut TextLine) -> Result<(), Problem> {
        let faces = [self.face(style), &self.fallback];
        let mut start = 0;
        let mut current: Option<&Arc<Face>> = None;
        for (at, c) in text.char_indices() {
            let has = |face: &&&Arc<Face>| face.glyph(c).is_some();
            let &face = faces.iter().find(has).ok_or(Problem::Glyph(c))?;
            if let Some(before) = current.filter(|before| !Arc::ptr_eq(before, face)) {
                line.push_text(&text[start..at], before, style.size, style.colour);
                start = at;
            }
            current = Some(face);
        }
        if let Some(face) = current {
            line.push_text(&text[start..], face, style.size, style.colour);
        }
        Ok(())
    }

    fn formula(&self, source: &str) -> Result<Arc<Formula>, Problem> {
        let mut known = self.formulas.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(formula) = known.get(source) {
            return Ok(formula.clone());
        }
        let formula = Arc::new(formula::set(source, self.digits.as_ref())?);
        known.insert(source.to_owned(), formula.clone());
        Ok(formula)
    }
}
