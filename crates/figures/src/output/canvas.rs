//! What a format must be able to draw, and the walk over a picture that draws it.

use super::OutputError;
use crate::scene::{Affine, Bitmap, Colour, Item, Meaning, Part, Path, Rect, Rule, Scene, Stroke};
use crate::text::{Label, Piece, Run};
use std::sync::Arc;

/// Something that a picture is drawn on. A map takes what is drawn to the page.
pub(super) trait Canvas {
    /// Draws an outline, filled, stroked or both.
    fn shape(&mut self, path: &Path, ink: &Ink, map: &Affine);
    /// Says what the next outline stands for.
    fn means(&mut self, _meaning: &Meaning) {}
    /// Draws glyphs.
    fn run(&mut self, run: &Run, map: &Affine);
    /// Says that what follows belongs to a label, until [`Canvas::end_label`].
    fn begin_label(&mut self, _label: &Label) {}
    /// Ends a label.
    fn end_label(&mut self) {}
    /// Draws pixels, each of which covers a box of one unit before it is mapped.
    fn image(&mut self, bitmap: &Arc<Bitmap>, map: &Affine);
    /// Cuts off what is drawn outside of an outline, until [`Canvas::unclip`].
    fn clip(&mut self, path: &Path, rule: Rule, map: &Affine);
    /// Ends the last [`Canvas::clip`].
    fn unclip(&mut self);
}

/// What an outline is drawn with.
#[derive(Clone, Copy, Default)]
pub(super) struct Ink<'a> {
    /// Inside of it.
    pub(super) fill: Option<Colour>,
    /// What inside means.
    pub(super) rule: Rule,
    /// Along it.
    pub(super) stroke: Option<&'a Stroke>,
}

/// The longest side of a page: the most that readers of PDF take.
const LONGEST: f64 = 14_400.0;

/// Refuses a picture that no file can hold. Drawing cannot fail afterwards.
pub(super) fn check(scene: &Scene) -> Result<(), OutputError> {
    let fits = |side: f64| side > 0.0 && side <= LONGEST;
    if !fits(scene.width) || !fits(scene.height) {
        return Err(OutputError::Page { width: scene.width, height: scene.height, most: LONGEST });
    }
    check_items(&scene.items)
}

fn check_items(items: &[Item]) -> Result<(), OutputError> {
    for item in items {
        match item {
            Item::Path { path, stroke, .. } => {
                let pen = stroke.as_ref().map_or(0.0, |stroke| stroke.width);
                let places = path.points().flat_map(|p| [p.x, p.y]).chain([pen]);
                finite(places, || "an outline".to_owned())?;
            }
            Item::Text { label, map } => {
                finite(map.0, || format!("text `{}`", label.source()))?;
            }
            Item::Clipped { area, items } => {
                finite(edges(area), || "a cut".to_owned())?;
                check_items(items)?;
            }
            Item::Image { bitmap, area } => {
                finite(edges(area), || "an image".to_owned())?;
                check_bitmap(bitmap)?;
            }
            Item::Artwork { artwork, map } => {
                finite(map.0, || "an artwork".to_owned())?;
                check_parts(&artwork.parts)?;
            }
        }
    }
    Ok(())
}

fn check_parts(parts: &[Part]) -> Result<(), OutputError> {
    for part in parts {
        let (path, map) = match part {
            Part::Shape { path, .. } | Part::Cut { path, .. } => (Some(path), None),
            Part::Image { map, .. } => (None, Some(map)),
        };
        let places = path.into_iter().flat_map(Path::points).flat_map(|p| [p.x, p.y]);
        finite(places.chain(map.into_iter().flat_map(|map| map.0)), || "part of an artwork".to_owned())?;
        match part {
            Part::Image { bitmap, .. } => check_bitmap(bitmap)?,
            Part::Cut { parts, .. } => check_parts(parts)?,
            Part::Shape { .. } => {}
        }
    }
    Ok(())
}

fn check_bitmap(bitmap: &Bitmap) -> Result<(), OutputError> {
    let samples = 4 * u64::from(bitmap.width) * u64::from(bitmap.height);
    if samples == 0 || samples != bitmap.rgba.len() as u64 {
        return Err(OutputError::Bitmap { width: bitmap.width, height: bitmap.height });
    }
    Ok(())
}

/// Draws a picture on a canvas.
pub(super) fn draw(scene: &Scene, canvas: &mut dyn Canvas) {
    draw_items(&scene.items, canvas);
}

fn draw_items(items: &[Item], canvas: &mut dyn Canvas) {
    for item in items {
        match item {
            Item::Path { path, fill, stroke, meaning } => {
                if let Some(meaning) = meaning {
                    canvas.means(meaning);
                }
                let ink = Ink { fill: *fill, stroke: stroke.as_ref(), ..Ink::default() };
                canvas.shape(path, &ink, &Affine::IDENTITY);
            }
            Item::Text { label, map } => {
                canvas.begin_label(label);
                for piece in label.pieces() {
                    draw_piece(piece, map, canvas);
                }
                canvas.end_label();
            }
            Item::Clipped { area, items } => {
                canvas.clip(&Path::rect(area), Rule::NonZero, &Affine::IDENTITY);
                draw_items(items, canvas);
                canvas.unclip();
            }
            Item::Image { bitmap, area } => {
                let (across, down) = (area.w / f64::from(bitmap.width), area.h / f64::from(bitmap.height));
                canvas.image(bitmap, &Affine([across, 0.0, 0.0, down, area.x, area.y]));
            }
            Item::Artwork { artwork, map } => draw_parts(&artwork.parts, map, canvas),
        }
    }
}

fn draw_piece(piece: &Piece, map: &Affine, canvas: &mut dyn Canvas) {
    match piece {
        Piece::Run(run) => canvas.run(run, map),
        Piece::Shape { path, stroke: None, colour } => {
            canvas.shape(path, &Ink { fill: Some(*colour), ..Ink::default() }, map);
        }
        Piece::Shape { path, stroke: Some(width), colour } => {
            let pen = Stroke::solid(*colour, *width);
            canvas.shape(path, &Ink { stroke: Some(&pen), ..Ink::default() }, map);
        }
    }
}

/// Draws parts of an artwork.
pub(super) fn draw_parts(parts: &[Part], map: &Affine, canvas: &mut dyn Canvas) {
    for part in parts {
        match part {
            Part::Shape { path, rule, colour } => {
                canvas.shape(path, &Ink { fill: Some(*colour), rule: *rule, stroke: None }, map);
            }
            Part::Image { bitmap, map: own } => canvas.image(bitmap, &map.after(own)),
            Part::Cut { path, rule, parts } => {
                canvas.clip(path, *rule, map);
                draw_parts(parts, map, canvas);
                canvas.unclip();
            }
        }
    }
}

fn edges(area: &Rect) -> [f64; 4] {
    [area.x, area.y, area.right(), area.bottom()]
}

fn finite(numbers: impl IntoIterator<Item = f64>, what: impl Fn() -> String) -> Result<(), OutputError> {
    if numbers.into_iter().all(f64::is_finite) { Ok(()) } else { Err(OutputError::Place { what: what() }) }
}
