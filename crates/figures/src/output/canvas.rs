//! What a file format must be able to draw, and the traversal of a scene that draws it.

use super::OutputError;
use crate::scene::{Affine, ArtworkPart, Bitmap, Colour, Item, Meaning, Path, Rect, Rule, Scene, Stroke};
use crate::text::{Label, LabelPiece, Run};
use std::sync::Arc;

/// Something that a scene is drawn on. Maps take what is drawn to the page.
pub(super) trait Canvas {
    /// Draws an outline, filled, stroked or both.
    fn shape(&mut self, path: &Path, ink: &Ink, map: &Affine);
    /// Sets the meaning of the next shape.
    fn means(&mut self, _meaning: &Meaning) {}
    /// Draws glyphs.
    fn run(&mut self, run: &Run, map: &Affine);
    /// What follows, up to [`Canvas::end_label`], belongs to a label.
    fn begin_label(&mut self, _label: &Label) {}
    fn end_label(&mut self) {}
    /// Draws pixels of one unit each.
    fn image(&mut self, bitmap: &Arc<Bitmap>, map: &Affine);
    /// Clips what follows to an outline, up to [`Canvas::unclip`].
    fn clip(&mut self, path: &Path, rule: Rule, map: &Affine);
    /// Ends the last [`Canvas::clip`].
    fn unclip(&mut self);
}

/// How an outline is drawn.
#[derive(Clone, Copy, Default)]
pub(super) struct Ink<'a> {
    pub(super) fill: Option<Colour>,
    pub(super) rule: Rule,
    pub(super) stroke: Option<&'a Stroke>,
}

/// The longest side of a page that PDF readers accept.
const LONGEST: f64 = 14_400.0;

/// Refuses a scene that no file can hold, so that drawing cannot fail.
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
                finite(coordinates(path).chain([pen]), || "an outline".to_owned())?;
            }
            Item::Text { label, map } => finite(map.0, || format!("text `{}`", label.source()))?,
            Item::Clipped { area, items } => {
                finite(edges(area), || "a clip".to_owned())?;
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

fn check_parts(parts: &[ArtworkPart]) -> Result<(), OutputError> {
    for part in parts {
        let name = || "part of an artwork".to_owned();
        match part {
            ArtworkPart::Image { bitmap, map } => {
                finite(map.0, name)?;
                check_bitmap(bitmap)?;
            }
            ArtworkPart::Shape { path, .. } => finite(coordinates(path), name)?,
            ArtworkPart::Cut { path, parts, .. } => {
                finite(coordinates(path), name)?;
                check_parts(parts)?;
            }
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
                let pixel_width = area.w / f64::from(bitmap.width);
                let pixel_height = area.h / f64::from(bitmap.height);
                canvas.image(bitmap, &Affine([pixel_width, 0.0, 0.0, pixel_height, area.x, area.y]));
            }
            Item::Artwork { artwork, map } => draw_parts(&artwork.parts, map, canvas),
        }
    }
}

fn draw_piece(piece: &LabelPiece, map: &Affine, canvas: &mut dyn Canvas) {
    match piece {
        LabelPiece::Run(run) => canvas.run(run, map),
        LabelPiece::Shape { path, stroke: None, colour } => {
            canvas.shape(path, &Ink { fill: Some(*colour), ..Ink::default() }, map);
        }
        LabelPiece::Shape { path, stroke: Some(width), colour } => {
            let pen = Stroke::solid(*colour, *width);
            canvas.shape(path, &Ink { stroke: Some(&pen), ..Ink::default() }, map);
        }
    }
}

/// Draws parts of an artwork.
pub(super) fn draw_parts(parts: &[ArtworkPart], map: &Affine, canvas: &mut dyn Canvas) {
    for part in parts {
        match part {
            ArtworkPart::Shape { path, rule, colour } => {
                canvas.shape(path, &Ink { fill: Some(*colour), rule: *rule, stroke: None }, map);
            }
            ArtworkPart::Image { bitmap, map: to_artwork } => canvas.image(bitmap, &map.after(to_artwork)),
            ArtworkPart::Cut { path, rule, parts } => {
                canvas.clip(path, *rule, map);
                draw_parts(parts, map, canvas);
                canvas.unclip();
            }
        }
    }
}

fn coordinates(path: &Path) -> impl Iterator<Item = f64> {
    path.points().flat_map(|p| [p.x, p.y])
}

fn edges(area: &Rect) -> [f64; 4] {
    [area.x, area.y, area.right(), area.bottom()]
}

fn finite(numbers: impl IntoIterator<Item = f64>, what: impl Fn() -> String) -> Result<(), OutputError> {
    if numbers.into_iter().all(f64::is_finite) { Ok(()) } else { Err(OutputError::Place { what: what() }) }
}
