//! Lays out a formula for text of size 1.

use super::substitute::{self, Substitute};
use super::{Face, Problem, check::check};
use crate::scene::{Colour, Path, Rect, Segment, at};
use ratex_font::{FontId, katex_ttf_glyph_char};
use ratex_layout::{LayoutOptions, layout, to_display_list, validate_layout};
use ratex_types::color::Color;
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::math_style::MathStyle;
use ratex_types::path_command::PathCommand;
use std::panic::catch_unwind;
use std::sync::Arc;

/// A formula; (0, 0) is the start of its baseline.
#[derive(Debug)]
pub(super) struct Formula {
    pub(super) width: f64,
    pub(super) marks: Vec<FormulaMark>,
}

/// Something drawn in a formula; `None` as colour means that of the surrounding text.
#[derive(Debug)]
pub(super) enum FormulaMark {
    Glyph {
        face: Arc<Face>,
        id: u32,
        x: f64,
        y: f64,
        scale: f64,
        text: char,
        colour: Option<Colour>,
    },
    /// An outline, filled, or stroked where a width is given.
    Shape {
        path: Path,
        stroke: Option<f64>,
        colour: Option<Colour>,
    },
}

/// The largest coordinate that a formula may have.
const LARGEST: f64 = 500.0;

/// Passed to the layout as the colour of the surrounding text; no real colour has this opacity.
const AROUND: Color = Color::new(0.0, 0.0, 0.0, -1.0);

/// Width of strokes, such as those of `\cancel`.
const PEN: f64 = 0.04;

/// Lays out a formula, with the digits of `digits` if given.
pub(super) fn set(source: &str, digits: Option<&Arc<Face>>) -> Result<Formula, Problem> {
    check(source)?;
    let refused = |reason: String| Problem::Formula { formula: source.to_owned(), reason };
    // The layout is not known to panic; if it does, only this label fails.
    let list = catch_unwind(|| display_list(source))
        .unwrap_or_else(|_| Err("the layout panicked".to_owned()))
        .map_err(refused)?;
    let baseline = list.height;
    let marks = list.items.iter().map(|item| mark(item, baseline, digits)).collect::<Result<Vec<_>, _>>()?;
    let formula = Formula { width: list.width, marks };
    if formula.is_sane() { Ok(formula) } else { Err(Problem::Size(source.to_owned())) }
}

fn display_list(source: &str) -> Result<DisplayList, String> {
    let nodes = ratex_parser::parse(source).map_err(|error| error.message)?;
    let options = LayoutOptions { style: MathStyle::Text, color: AROUND, ..Default::default() };
    let boxes = layout(&nodes, &options);
    validate_layout(&boxes)?;
    Ok(to_display_list(&boxes))
}

fn mark(item: &DisplayItem, baseline: f64, digits: Option<&Arc<Face>>) -> Result<FormulaMark, Problem> {
    Ok(match item {
        DisplayItem::GlyphPath { x, y, scale, font, char_code, color } => {
            let text = char::from_u32(*char_code).unwrap_or(char::REPLACEMENT_CHARACTER);
            let glyph = FontId::parse(font)
                .and_then(|font| substitute::glyph(font, katex_ttf_glyph_char(font, *char_code), digits));
            let Substitute { face, id, shift } = glyph.ok_or(Problem::Glyph(text))?;
            let x = x + shift * scale;
            let y = y - baseline;
            FormulaMark::Glyph { face, id, x, y, scale: *scale, text: readable(text), colour: ink(color) }
        }
        DisplayItem::Line { x, y, width, thickness, color, dashed: _ } => {
            let bar = Rect::new(*x, y - baseline - thickness / 2.0, *width, *thickness);
            FormulaMark::Shape { path: Path::rect(&bar), stroke: None, colour: ink(color) }
        }
        DisplayItem::Rect { x, y, width, height, color } => {
            let area = Rect::new(*x, y - baseline, *width, *height);
            FormulaMark::Shape { path: Path::rect(&area), stroke: None, colour: ink(color) }
        }
        DisplayItem::Path { x, y, commands, fill, color } => {
            let point = |dx: f64, dy: f64| at(x + dx, y - baseline + dy);
            let segment = |command: &PathCommand| match *command {
                PathCommand::MoveTo { x, y } => Segment::Move(point(x, y)),
                PathCommand::LineTo { x, y } => Segment::Line(point(x, y)),
                PathCommand::QuadTo { x1, y1, x, y } => Segment::Quad(point(x1, y1), point(x, y)),
                PathCommand::CubicTo { x1, y1, x2, y2, x, y } => {
                    Segment::Cubic(point(x1, y1), point(x2, y2), point(x, y))
                }
                PathCommand::Close => Segment::Close,
            };
            let path = Path(commands.iter().map(segment).collect());
            FormulaMark::Shape { path, stroke: (!fill).then_some(PEN), colour: ink(color) }
        }
    })
}

/// The character that a reader or a text search would expect.
fn readable(c: char) -> char {
    match c {
        '∣' => '|',
        '∥' => '‖',
        '\u{e020}' => '\u{338}',
        '\u{e000}'..='\u{f8ff}' => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

fn ink(colour: &Color) -> Option<Colour> {
    let byte = |share: f32| (share * 255.0).round() as u8;
    let [r, g, b, a] = [colour.r, colour.g, colour.b, colour.a].map(byte);
    (*colour != AROUND).then_some(Colour { r, g, b, a })
}

impl Formula {
    fn is_sane(&self) -> bool {
        let sane = |v: f64| v.abs() <= LARGEST;
        sane(self.width)
            && self.marks.iter().all(|mark| match mark {
                FormulaMark::Glyph { x, y, scale, .. } => sane(*x) && sane(*y) && sane(*scale),
                FormulaMark::Shape { path, .. } => path.points().all(|p| sane(p.x) && sane(p.y)),
            })
    }
}
