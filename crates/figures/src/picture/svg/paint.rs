//! What the shapes of an SVG file are filled with.

use super::read::{SvgReader, affine};
use crate::output::skia::{straight, transform};
use crate::picture::gradient::{self, Grid};
use crate::picture::sketch::Sketch;
use crate::picture::tiles::Tile;
use crate::scene::{Affine, Colour, Path, Rect, Rule};
use tiny_skia::{GradientStop, LinearGradient, Pixmap, Point, RadialGradient, Shader, SpreadMode, Transform};
use usvg::Paint;

impl SvgReader {
    /// Fills an outline; `place` takes the paint's coordinates to the page.
    pub(super) fn paint(&mut self, path: Path, rule: Rule, paint: &Paint, place: &Affine) {
        match paint {
            Paint::Color(c) => {
                self.sketch.fill(path, rule, Colour { r: c.red, g: c.green, b: c.blue, a: 255 });
            }
            Paint::LinearGradient(g) => {
                let start = Point::from_xy(g.x1(), g.y1());
                let end = Point::from_xy(g.x2(), g.y2());
                let shader = LinearGradient::new(start, end, stops(g), spread(g), g.transform());
                self.gradient(path, rule, shader, place);
            }
            Paint::RadialGradient(g) => {
                let focus = Point::from_xy(g.fx(), g.fy());
                let centre = Point::from_xy(g.cx(), g.cy());
                let inner = g.fr().get();
                let outer = g.r().get();
                let shader =
                    RadialGradient::new(focus, inner, centre, outer, stops(g), spread(g), g.transform());
                self.gradient(path, rule, shader, place);
            }
            Paint::Pattern(pattern) => self.pattern(path, rule, pattern, place),
        }
    }

    fn gradient(&mut self, path: Path, rule: Rule, shader: Option<Shader>, place: &Affine) {
        let Some(shader) = shader else { return self.sketch.lack("a gradient without an extent") };
        let page = self.page;
        gradient::fill(&mut self.sketch, path, rule, &page, |grid| sampled(grid, shader, place));
    }

    fn pattern(&mut self, path: Path, rule: Rule, pattern: &usvg::Pattern, place: &Affine) {
        let rect = pattern.rect();
        let first = Rect::new(rect.x().into(), rect.y().into(), rect.width().into(), rect.height().into());
        if std::mem::replace(&mut self.in_pattern, true) {
            return self.sketch.lack("a pattern within a pattern");
        }
        let page = std::mem::replace(&mut self.page, first);
        let within = Sketch::within(&self.sketch, first);
        let before = std::mem::replace(&mut self.sketch, within);
        self.sketch.cut(Path::rect(&first), Rule::NonZero);
        self.group(pattern.root(), &Affine::IDENTITY);
        self.sketch.uncut();
        let parts = self.sketch.resume(before);
        self.page = page;
        self.in_pattern = false;
        let map = place.after(&affine(pattern.transform()));
        Tile { first, parts, map }.lay(&mut self.sketch, path, rule, &page);
    }
}

fn stops(gradient: &usvg::BaseGradient) -> Vec<GradientStop> {
    let stop = |stop: &usvg::Stop| {
        let c = stop.color();
        let a = (stop.opacity().get() * 255.0).round() as u8;
        GradientStop::new(stop.offset().get(), tiny_skia::Color::from_rgba8(c.red, c.green, c.blue, a))
    };
    gradient.stops().iter().map(stop).collect()
}

fn spread(gradient: &usvg::BaseGradient) -> SpreadMode {
    match gradient.spread_method() {
        usvg::SpreadMethod::Pad => SpreadMode::Pad,
        usvg::SpreadMethod::Reflect => SpreadMode::Reflect,
        usvg::SpreadMethod::Repeat => SpreadMode::Repeat,
    }
}

/// The colours of a gradient, four bytes per sample.
fn sampled(grid: &Grid, mut shader: Shader, place: &Affine) -> Vec<u8> {
    let empty = || vec![0; 4 * grid.width as usize * grid.height as usize];
    let Some(to_grid) = grid.map.inverse().map(|back| back.after(place)) else { return empty() };
    shader.transform(transform(&to_grid));
    let whole = tiny_skia::Rect::from_xywh(0.0, 0.0, grid.width as f32, grid.height as f32);
    let (Some(mut pixels), Some(whole)) = (Pixmap::new(grid.width, grid.height), whole) else {
        return empty();
    };
    let paint = tiny_skia::Paint { shader, ..tiny_skia::Paint::default() };
    pixels.fill_rect(whole, &paint, Transform::identity(), None);
    straight(&pixels)
}
