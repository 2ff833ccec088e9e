//! Formulas are laid out for KaTeX's faces, a slightly heavier Computer Modern. New Computer Modern Math has most of their
//! glyphs with the same metrics; these replace KaTeX's, so that formulas and text have the same weight.

use super::bundled;
use super::face::Face;
use ratex_font::FontId;
use std::sync::Arc;

/// How much the edges of two glyphs may differ, as a share of the font size.
const TOLERANCE: f64 = 0.03;

pub(super) struct Substitute {
    pub(super) face: Arc<Face>,
    pub(super) id: u32,
    /// Offset to the right, as a share of the font size.
    pub(super) shift: f64,
}

/// A glyph for a character of one of KaTeX's faces. Digits come from `digits` if given.
pub(super) fn glyph(font: FontId, c: char, digits: Option<&Arc<Face>>) -> Option<Substitute> {
    let face = bundled::find(font.as_str())?;
    let id = face.glyph(c)?;
    if let Some(digits) = digits.filter(|_| font == FontId::MainRegular && c.is_ascii_digit()) {
        let digit = digits.glyph(c)?;
        let shift = centring(&face, id, digits, digit);
        return Some(Substitute { face: digits.clone(), id: digit, shift });
    }
    let better = counterpart(font, c).filter(|(other, other_id)| {
        let apart = edges(&face, id).into_iter().zip(edges(other, *other_id));
        apart.into_iter().all(|(a, b)| (a - b).abs() <= TOLERANCE)
    });
    let (face, id) = better.unwrap_or((face, id));
    Some(Substitute { face, id, shift: 0.0 })
}

/// The face itself, if its digits fit the cells that formulas have for digits, so that 100 and 10² look alike.
pub(super) fn digits(face: &Arc<Face>) -> Option<Arc<Face>> {
    const CELL: f64 = 0.08;
    let laid_out = bundled::face("Main-Regular");
    let fits = |c: char| {
        let id = laid_out.glyph(c)?;
        let digit = face.glyph(c)?;
        let shift = centring(&laid_out, id, face, digit);
        let [left, right, top, bottom] = edges(face, digit);
        let moved = [left + shift, right + shift, top, bottom];
        let fits = edges(&laid_out, id).into_iter().zip(moved).all(|(a, b)| (a - b).abs() <= CELL);
        fits.then_some(())
    };
    ('0'..='9').all(|c| fits(c).is_some()).then(|| face.clone())
}

/// The offset that centres a glyph in the cell of another.
fn centring(cell_face: &Face, cell: u32, face: &Face, id: u32) -> f64 {
    let advance = |face: &Face, id: u32| face.outline(id).advance / face.units();
    (advance(cell_face, cell) - advance(face, id)) / 2.0
}

/// The same character in New Computer Modern.
fn counterpart(font: FontId, c: char) -> Option<(Arc<Face>, u32)> {
    let c = match font {
        // TeX's sign of a partial derivative is the italic one.
        FontId::MainRegular if c == '∂' => '𝜕',
        FontId::MainRegular => c,
        FontId::MathItalic => ITALIC.letter(c)?,
        FontId::MathBoldItalic => BOLD_ITALIC.letter(c)?,
        FontId::CaligraphicRegular => SCRIPT.letter(c)?,
        FontId::MainBold => {
            let bold = bundled::face("NewCM10-Bold");
            return bold.glyph(c).map(|id| (bold, id));
        }
        FontId::MainItalic => {
            let italic = bundled::face("NewCM10-Italic");
            return italic.glyph(c).map(|id| (italic, id));
        }
        _ => return None,
    };
    let math = bundled::math();
    math.glyph(c).map(|id| (math, id))
}

/// One of Unicode's mathematical alphabets.
struct Alphabet {
    /// Code of its Latin A.
    latin: u32,
    /// Code of its Greek Α.
    greek: Option<u32>,
    /// Letters that Unicode has elsewhere.
    early: &'static [(char, char)],
}

const ITALIC: Alphabet = Alphabet { latin: 0x1d434, greek: Some(0x1d6e2), early: &[('h', 'ℎ')] };

const BOLD_ITALIC: Alphabet = Alphabet { latin: 0x1d468, greek: Some(0x1d71c), early: &[] };

const SCRIPT: Alphabet = Alphabet {
    latin: 0x1d49c,
    greek: None,
    early: &[('B', 'ℬ'), ('E', 'ℰ'), ('F', 'ℱ'), ('H', 'ℋ'), ('I', 'ℐ'), ('L', 'ℒ'), ('M', 'ℳ'), ('R', 'ℛ')],
};

impl Alphabet {
    fn letter(&self, c: char) -> Option<char> {
        if let Some(&(_, early)) = self.early.iter().find(|(letter, _)| *letter == c) {
            return Some(early);
        }
        let from = |start: char| u32::from(c) - u32::from(start);
        let code = match c {
            'A'..='Z' => self.latin + from('A'),
            'a'..='z' => self.latin + 26 + from('a'),
            'Α'..='Ω' => self.greek? + from('Α'),
            'α'..='ω' => self.greek? + 26 + from('α'),
            _ => self.greek? + 51 + "∂ϵϑϰϕϱϖ".chars().position(|other| other == c)? as u32,
        };
        char::from_u32(code)
    }
}

/// Left, right, upper and lower edge of a glyph's ink, as shares of the font size.
fn edges(face: &Face, id: u32) -> [f64; 4] {
    let ink = face.outline(id).ink.unwrap_or_default();
    [ink.x, ink.right(), ink.y, ink.bottom()].map(|v| v / face.units())
}
