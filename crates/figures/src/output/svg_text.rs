//! Letters of an SVG file as text that other programs can find and edit. Each run of glyphs is an element of its own at its
//! place, so that another typeface shifts nothing that follows.

use super::svg::colour;
use super::xml::{map as transform, number};
use crate::scene::Affine;
use crate::text::Run;
use record::escape;

/// Typefaces to take where the first is not installed.
const SERIF: &str = "'Latin Modern Roman', 'Times New Roman', Times, serif";
const SANS: &str = "Arial, Helvetica, sans-serif";

/// The run as a text element; none where its glyphs are no letters, such as the pieces of a large bracket.
pub(super) fn element(run: &Run, map: &Affine) -> Option<String> {
    let first = run.glyphs.first()?;
    // Glyphs of these faces have sizes of their own.
    if run.face.name().starts_with("Size") || run.text.chars().any(char::is_control) {
        return None;
    }
    let (family, bold, italic) = run.face.family();
    let rest = if family.contains("Sans") || run.face.name().starts_with("SansSerif") { SANS } else { SERIF };
    // In formulas, letters are italic though their face is not.
    let italic = italic || is_variable(run);
    let place = transform(&map.after(&Affine::shift(first.x, first.y)));
    let weight = if bold { " font-weight=\"bold\"" } else { "" };
    let slope = if italic { " font-style=\"italic\"" } else { "" };
    Some(format!(
        "<text transform=\"{place}\" font-family=\"'{}', {rest}\" font-size=\"{}\"{weight}{slope}{} \
         xml:space=\"preserve\">{}</text>\n",
        escape::xml(&family.replace('\'', "")),
        number(run.size),
        colour("fill", Some(run.colour)),
        escape::xml(&run.text),
    ))
}

/// Whether letters of the run are drawn by other glyphs than their face has for them.
fn is_variable(run: &Run) -> bool {
    run.glyphs.iter().any(|glyph| {
        let mut letters = run.text[glyph.text.clone()].chars();
        match (letters.next(), letters.next()) {
            (Some(c), None) => c.is_alphabetic() && run.face.glyph(c) != Some(glyph.id),
            _ => false,
        }
    })
}
