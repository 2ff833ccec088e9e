//! Letters of an SVG file as text that other programs can find and edit. Each run of glyphs is an element of its own at its
//! place, so that another typeface shifts nothing that follows.

use super::svg::colour;
use super::xml::{map as transform, number};
use crate::scene::Affine;
use crate::text::{Glyph, Run};
use record::escape;

/// Typefaces to take where the first is not installed.
const SERIF: &str = "'Latin Modern Roman', 'Times New Roman', Times, serif";
const SANS: &str = "Arial, Helvetica, sans-serif";

/// The run as text elements; none where its glyphs are no letters, such as the pieces of a large bracket.
pub(super) fn elements(run: &Run, map: &Affine) -> Option<String> {
    // Glyphs of these faces have sizes of their own.
    if run.face.name().starts_with("Size") || run.text.chars().any(char::is_control) {
        return None;
    }
    let (family, bold, italic) = run.face.family();
    let rest = if family.contains("Sans") || run.face.name().starts_with("SansSerif") { SANS } else { SERIF };
    let family = escape::xml(&family.replace('\'', ""));
    let weight = if bold { " font-weight=\"bold\"" } else { "" };
    let mut out = String::new();
    // In formulas, some letters are italic though their face is not.
    for part in run.glyphs.chunk_by(|a, b| is_variable(run, a) == is_variable(run, b)) {
        let (first, last) = (&part[0], &part[part.len() - 1]);
        let place = transform(&map.after(&Affine::shift(first.x, first.y)));
        let slope = if italic || is_variable(run, first) { " font-style=\"italic\"" } else { "" };
        out.push_str(&format!(
            "<text transform=\"{place}\" font-family=\"'{family}', {rest}\" font-size=\"{}\"{weight}{slope}{} \
             xml:space=\"preserve\">{}</text>\n",
            number(run.size),
            colour("fill", Some(run.colour)),
            escape::xml(&run.text[first.text.start..last.text.end]),
        ));
    }
    Some(out)
}

/// Whether a letter of the run is drawn by another glyph than its face has for it.
fn is_variable(run: &Run, glyph: &Glyph) -> bool {
    let mut letters = run.text[glyph.text.clone()].chars();
    match (letters.next(), letters.next()) {
        (Some(c), None) => c.is_alphabetic() && run.face.glyph(c) != Some(glyph.id),
        _ => false,
    }
}
