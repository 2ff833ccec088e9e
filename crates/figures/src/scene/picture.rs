//! The picture.

use super::{Affine, Artwork, Colour, Mark, Meaning, Path, Point, Rect, Role, Stroke};
use crate::text::Label;
use std::sync::Arc;

/// Pixels, red, green, blue and opacity (not premultiplied), row by row from the top.
#[derive(Debug, PartialEq)]
pub struct Bitmap {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes a pixel.
    pub rgba: Vec<u8>,
}

/// Something drawn.
#[derive(Clone, Debug)]
pub enum Item {
    /// An outline, filled (non-zero winding), stroked or both.
    Path {
        /// Outline, where it lies on the page.
        path: Path,
        /// Ink inside.
        fill: Option<Colour>,
        /// Pen along it.
        stroke: Option<Stroke>,
        /// What it stands for, where it shows data.
        meaning: Option<Box<Meaning>>,
    },
    /// Text; the map takes the start of its first line's baseline, (0, 0), to the page.
    Text {
        /// What is written.
        label: Arc<Label>,
        /// Where to.
        map: Affine,
    },
    /// Things cut off at the edges of a box.
    Clipped {
        /// The box.
        area: Rect,
        /// The things.
        items: Vec<Item>,
    },
    /// Pixels stretched over a box.
    Image {
        /// The pixels.
        bitmap: Arc<Bitmap>,
        /// The box.
        area: Rect,
    },
    /// Artwork made elsewhere, and the map that takes it to the page.
    Artwork {
        /// The artwork.
        artwork: Arc<Artwork>,
        /// Where to.
        map: Affine,
    },
}

/// A page with what is drawn on it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Things, the first at the bottom.
    pub items: Vec<Item>,
    /// What they mean.
    pub marks: Vec<Mark>,
}

impl Scene {
    /// An empty page.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, items: Vec::new(), marks: Vec::new() }
    }

    /// Draws an outline.
    pub fn path(&mut self, path: Path, fill: Option<Colour>, stroke: Option<Stroke>) {
        self.items.push(Item::Path { path, fill, stroke, meaning: None });
    }

    /// Draws an outline that shows data.
    pub fn data(&mut self, meaning: Meaning, path: Path, fill: Option<Colour>, stroke: Option<Stroke>) {
        self.items.push(Item::Path { path, fill, stroke, meaning: Some(Box::new(meaning)) });
    }

    /// Draws a straight line.
    pub fn line(&mut self, a: Point, b: Point, stroke: Stroke) {
        self.path(Path::through(&[a, b]), None, Some(stroke));
    }

    /// Writes text turned by `degrees` anti-clockwise so that the point at the share `anchor` of its body (0, 0 is its
    /// upper left corner before turning) comes to lie at `place`. Gives back the box that it covers.
    pub fn text(&mut self, label: &Arc<Label>, place: Point, anchor: (f64, f64), degrees: f64) -> Rect {
        let body = label.body();
        let fixed = Affine::shift(-(body.x + anchor.0 * body.w), -(body.y + anchor.1 * body.h));
        let map = Affine::shift(place.x, place.y).after(&Affine::turn(degrees)).after(&fixed);
        let covered = map.cover(&label.area());
        self.items.push(Item::Text { label: label.clone(), map });
        self.marks.push(Mark { role: Role::Text(label.source().to_owned()), area: covered });
        covered
    }

    /// Notes what lies in a box.
    pub fn mark(&mut self, role: Role, area: Rect) {
        self.marks.push(Mark { role, area });
    }
}
