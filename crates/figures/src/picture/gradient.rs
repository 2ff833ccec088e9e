//! Gradients are sampled into an image, which is clipped to the shape.

use super::sketch::Sketch;
use crate::scene::{Affine, Bitmap, Path, Rect, Rule};

/// Samples along the longer side of a shape: enough for a smooth gradient.
const FINEST: f64 = 512.0;

/// Fills an outline with the colours that `sample` gives.
pub(super) fn fill(
    sketch: &mut Sketch,
    path: Path,
    rule: Rule,
    page: &Rect,
    sample: impl FnOnce(&Grid) -> Vec<u8>,
) {
    let Some(area) = path.cover().and_then(|area| area.common(page)) else { return };
    let grid = Grid::over(&area);
    if !sketch.has_room(grid.width, grid.height) {
        return;
    }
    let bitmap = Bitmap { width: grid.width, height: grid.height, rgba: sample(&grid) };
    sketch.cut(path, rule);
    sketch.image(bitmap, grid.map);
    sketch.uncut();
}

/// The pixels at whose centres a gradient is sampled.
pub(super) struct Grid {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Takes the image to the page.
    pub(super) map: Affine,
}

impl Grid {
    fn over(area: &Rect) -> Self {
        let scale = FINEST / area.w.max(area.h);
        let count = |side: f64| (side * scale).ceil().clamp(1.0, FINEST);
        let w = count(area.w);
        let h = count(area.h);
        let map = Affine([area.w / w, 0.0, 0.0, area.h / h, area.x, area.y]);
        Self { width: w as u32, height: h as u32, map }
    }
}
