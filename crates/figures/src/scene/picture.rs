//! The scene: a page and what is drawn on it.
#![expect(missing_docs, reason = "the other names say it")]

use super::{Affine, Artwork, Colour, Ground, Mark, Meaning, Path, Point, Rect, Role, Stroke};
use crate::text::Label;
use std::sync::Arc;

/// Pixels, row by row from the top.
#[derive(Debug, PartialEq)]
pub struct Bitmap {
    pub width: u32,
    pub height: u32,
    /// Red, green, blue and opacity, not premultiplied; four bytes per pixel.
    pub rgba: Vec<u8>,
}

/// Something drawn.
#[derive(Clone, Debug)]
pub enum Item {
    /// An outline, filled (non-zero winding), stroked or both; with a meaning if it shows data.
    Path { path: Path, fill: Option<Colour>, stroke: Option<Stroke>, meaning: Option<Box<Meaning>> },
    /// Text; the map takes the start of its first baseline, (0, 0), to the page.
    Text { label: Arc<Label>, map: Affine },
    /// Items clipped to a box.
    Clipped { area: Rect, items: Vec<Item> },
    /// Pixels stretched over a box.
    Image { bitmap: Arc<Bitmap>, area: Rect },
    /// Artwork, and the map that takes it to the page.
    Artwork { artwork: Arc<Artwork>, map: Affine },
}

/// A page and what is drawn on it.
#[derive(Clone, Debug)]
pub struct Scene {
    pub width: f64,
    pub height: f64,
    /// From bottom to top.
    pub items: Vec<Item>,
    pub marks: Vec<Mark>,
    /// The colour of the page; none where it shows what is behind it.
    pub page: Option<Colour>,
    /// Whether letters of an SVG file are text in place of outlines.
    pub svg_text: bool,
}

impl Scene {
    /// An empty page.
    pub fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            items: Vec::new(),
            marks: Vec::new(),
            page: Ground::White.page(),
            svg_text: false,
        }
    }

    /// Draws an outline.
    pub fn path(&mut self, path: Path, fill: Option<Colour>, stroke: Option<Stroke>) {
        self.items.push(Item::Path { path, fill, stroke, meaning: None });
    }

    /// Draws an outline that shows data.
    pub(crate) fn data(
        &mut self,
        meaning: Meaning,
        path: Path,
        fill: Option<Colour>,
        stroke: Option<Stroke>,
    ) {
        self.items.push(Item::Path { path, fill, stroke, meaning: Some(Box::new(meaning)) });
    }

    /// Draws a straight line.
    pub(crate) fn line(&mut self, a: Point, b: Point, stroke: Stroke) {
        self.path(Path::through(&[a, b]), None, Some(stroke));
    }

    /// Writes text, rotated anticlockwise by `degrees`, with the point at the shares `anchor` of its body at `place`;
    /// (0, 0) is the upper left corner before rotation. Returns the box that it covers.
    pub fn text(&mut self, label: &Arc<Label>, place: Point, anchor: (f64, f64), degrees: f64) -> Rect {
        let body = label.body();
        let fixed = Affine::shift(-(body.x + anchor.0 * body.w), -(body.y + anchor.1 * body.h));
        let map = Affine::shift(place.x, place.y).after(&Affine::turn(degrees)).after(&fixed);
        let covered = map.cover(&label.area());
        self.items.push(Item::Text { label: label.clone(), map });
        self.marks.push(Mark { role: Role::Text(label.source().to_owned()), area: covered });
        covered
    }

    /// Records what is in a box.
    pub fn mark(&mut self, role: Role, area: Rect) {
        self.marks.push(Mark { role, area });
    }
}
