//! Patterns: one tile is rasterised and its pixels are repeated, since tiles drawn as shapes show seams.

use super::sketch::Sketch;
use crate::output::bitmap;
use crate::scene::{Affine, ArtworkPart, Bitmap, Path, Rect, Rule};

/// Pixels per unit of the page, and the most in total.
const DENSITY: f64 = 4.0;
const MOST: f64 = 4e6;

/// A pattern: one tile, repeated side by side.
pub(super) struct Tile {
    /// The box of the first tile.
    pub(super) first: Rect,
    pub(super) parts: Vec<ArtworkPart>,
    /// Takes the tile to the page.
    pub(super) map: Affine,
}

impl Tile {
    /// Fills the part of an outline that is on the page with the pattern.
    pub(super) fn lay(&self, sketch: &mut Sketch, path: Path, rule: Rule, page: &Rect) {
        let Some(area) = path.cover().and_then(|area| area.common(page)) else { return };
        let Some(area) = self.map.inverse().map(|back| back.cover(&area)) else { return };
        let cells = |low: f64, high: f64, start: f64, step: f64| {
            let begin = ((low - start) / step).floor();
            (begin, ((high - start) / step).ceil().max(begin + 1.0) - begin)
        };
        let Rect { w: across, h: down, .. } = self.first;
        let (left, columns) = cells(area.x, area.right(), self.first.x, across);
        let (top, rows) = cells(area.y, area.bottom(), self.first.y, down);
        let [a, b, c, d, ..] = self.map.0;
        let wanted_width = a.hypot(b) * across * DENSITY;
        let wanted_height = c.hypot(d) * down * DENSITY;
        let excess = (wanted_width * columns * wanted_height * rows / MOST).sqrt().max(1.0);
        let width = (wanted_width / excess).round();
        let height = (wanted_height / excess).round();
        // Without an area, the size is NaN.
        let whole = width * columns * height * rows;
        let cell = if width >= 2.0 && height >= 2.0 && whole <= 2.0 * MOST {
            self.cell(width as u32, height as u32)
        } else {
            None
        };
        let Some(cell) = cell else { return sketch.lack("a pattern of very small tiles") };
        if !sketch.has_room(width as u32 * columns as u32, height as u32 * rows as u32) {
            return;
        }
        let start = Affine::shift(self.first.x + left * across, self.first.y + top * down);
        let stretch = Affine([across / width, 0.0, 0.0, down / height, 0.0, 0.0]);
        sketch.cut(path, rule);
        sketch.image(repeated(&cell, columns as u32, rows as u32), self.map.after(&start).after(&stretch));
        sketch.uncut();
    }

    /// The pixels of one tile.
    fn cell(&self, width: u32, height: u32) -> Option<Bitmap> {
        let Rect { x, y, w, h } = self.first;
        let scale = Affine([f64::from(width) / w, 0.0, 0.0, f64::from(height) / h, 0.0, 0.0]);
        bitmap(&self.parts, &scale.after(&Affine::shift(-x, -y)), width, height)
    }
}

fn repeated(cell: &Bitmap, columns: u32, rows: u32) -> Bitmap {
    let row = 4 * cell.width as usize;
    let band: Vec<u8> =
        cell.rgba.chunks_exact(row).flat_map(|pixels| pixels.repeat(columns as usize)).collect();
    Bitmap { width: cell.width * columns, height: cell.height * rows, rgba: band.repeat(rows as usize) }
}
