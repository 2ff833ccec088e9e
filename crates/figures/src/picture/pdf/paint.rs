//! What the shapes of a PDF file are filled with.

use super::super::gradient;
use super::super::tiles::Tile;
use super::{Reader, from_kurbo};
use crate::scene::{Affine, Colour, Path, Point, Rect, Rule};
use hayro_interpret::Paint;
use hayro_interpret::pattern::{Pattern, ShadingPattern, TilingPattern};

impl Reader {
    /// Fills an outline.
    pub(super) fn paint(&mut self, path: Path, rule: Rule, paint: &Paint<'_>, is_stroke: bool) {
        self.note();
        match paint {
            Paint::Color(colour) => {
                let [r, g, b, a] = colour.to_rgba().to_rgba8();
                self.sketch.fill(path, rule, Colour { r, g, b, a });
            }
            Paint::Pattern(pattern) => match pattern.as_ref() {
                Pattern::Shading(shading) => self.shading(path, rule, shading),
                Pattern::Tiling(tiling) => self.pattern(path, rule, tiling, is_stroke),
            },
        }
    }

    fn shading(&mut self, path: Path, rule: Rule, shading: &ShadingPattern) {
        let clip = shading.shading.clip_path.as_ref().map(from_kurbo);
        let cut = clip.map(|clip| self.sketch.cut(clip, Rule::NonZero)).is_some();
        let encoded = shading.encode();
        let byte = |share: f32| (share.clamp(0.0, 1.0) * 255.0).round() as u8;
        let colour =
            |p: Point| encoded.sample(encoded.base_transform * kurbo::Point::new(p.x, p.y)).map(byte);
        let page = self.page;
        gradient::fill(&mut self.sketch, path, rule, &page, |grid| grid.places().flat_map(colour).collect());
        if cut {
            self.sketch.uncut();
        }
    }

    fn pattern(&mut self, path: Path, rule: Rule, pattern: &TilingPattern<'_>, is_stroke: bool) {
        self.patterned = true;
        let tile = pattern.bbox;
        let first = Rect::new(tile.x0, tile.y0, tile.width(), tile.height());
        let (page, before) = (std::mem::replace(&mut self.page, first), self.sketch.aside());
        let read = pattern.interpret(self, kurbo::Affine::IDENTITY, is_stroke);
        let parts = self.sketch.resume(before);
        self.page = page;
        if read.is_none() {
            self.sketch.lack("a pattern that cannot be read");
        }
        let step = (f64::from(pattern.x_step).abs(), f64::from(pattern.y_step).abs());
        let map = Affine(pattern.matrix.as_coeffs());
        Tile { first, step, parts, map }.lay(&mut self.sketch, path, rule, &page);
    }
}
