//! A canvas of pixels.

use super::canvas::{Canvas, Ink};
use super::shrink::shrunk;
use super::skia::{to_skia, transform};
use crate::scene::{Affine, Bitmap, Colour, Path, Rect, Rule, Stroke};
use crate::text::{Face, Run};
use std::collections::BTreeMap;
use std::sync::Arc;
use tiny_skia::{
    Color, FillRule, FilterQuality, LineCap, LineJoin, Mask, Paint, Pattern, Pixmap, SpreadMode, StrokeDash,
    Transform,
};

pub(super) struct Raster {
    pub(super) pixels: Pixmap,
    page: Affine,
    glyphs: BTreeMap<(String, u32), Option<tiny_skia::Path>>,
    cuts: Vec<Cut>,
}

/// A clip, already intersected with those before it.
struct Cut {
    /// A box known to be wholly inside.
    area: Rect,
    mask: Mask,
}

impl Raster {
    /// A page of that colour, or a transparent one, with `scale` pixels per point.
    pub(super) fn new(width: u32, height: u32, scale: f64, page: Option<Colour>) -> Option<Self> {
        let mut raster = Self { page: Affine::scale(scale), ..Self::clear(width, height)? };
        if let Some(Colour { r, g, b, a }) = page {
            raster.pixels.fill(Color::from_rgba8(r, g, b, a));
        }
        Some(raster)
    }

    /// A transparent page with one pixel per unit.
    pub(super) fn clear(width: u32, height: u32) -> Option<Self> {
        let pixels = Pixmap::new(width, height)?;
        Some(Self { pixels, page: Affine::IDENTITY, glyphs: BTreeMap::new(), cuts: Vec::new() })
    }

    /// Red, green and blue of each pixel of an opaque page.
    pub(super) fn samples(&self) -> Vec<u8> {
        self.pixels.data().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect()
    }

    fn glyph(&mut self, face: &Face, id: u32) -> Option<tiny_skia::Path> {
        let key = (face.name().to_owned(), id);
        self.glyphs.entry(key).or_insert_with(|| to_skia(&face.outline(id).path)).clone()
    }
}

/// The mask for something that covers `area`; none if that is wholly inside, which is faster.
fn mask(cuts: &[Cut], area: Rect) -> Option<&Mask> {
    cuts.last().filter(|cut| !cut.area.encloses(&area)).map(|cut| &cut.mask)
}

impl Canvas for Raster {
    fn shape(&mut self, path: &Path, ink: &Ink, map: &Affine) {
        let (Some(line), Some(area)) = (to_skia(path), path.cover()) else { return };
        let pen = ink.stroke.map_or(0.0, |stroke| stroke.width);
        let mask = mask(&self.cuts, map.cover(&area.grown(pen)));
        let place = transform(&self.page.after(map));
        // Nothing to fill without an area.
        if let Some(colour) = ink.fill.filter(|_| area.w > 0.0 && area.h > 0.0) {
            self.pixels.fill_path(&line, &paint(colour), inside(ink.rule), place, mask);
        }
        if let Some(stroke) = ink.stroke {
            self.pixels.stroke_path(&line, &paint(stroke.colour), &pen_of(stroke), place, mask);
        }
    }

    fn run(&mut self, run: &Run, map: &Affine) {
        for glyph in &run.glyphs {
            let Some(ink_area) = run.face.outline(glyph.id).ink else { continue };
            let Some(path) = self.glyph(&run.face, glyph.id) else { continue };
            let map = map.after(&run.place(glyph));
            let place = transform(&self.page.after(&map));
            let mask = mask(&self.cuts, map.cover(&ink_area));
            self.pixels.fill_path(&path, &paint(run.colour), FillRule::Winding, place, mask);
        }
    }

    fn image(&mut self, bitmap: &Arc<Bitmap>, map: &Affine) {
        let [a, b, c, d, ..] = self.page.after(map).0;
        let width = f64::from(bitmap.width);
        let height = f64::from(bitmap.height);
        let Some(pixels) = shrunk(bitmap, a.hypot(b) * width, c.hypot(d) * height) else { return };
        let w = f64::from(pixels.width());
        let h = f64::from(pixels.height());
        let map = map.after(&Affine([width / w, 0.0, 0.0, height / h, 0.0, 0.0]));
        let area = Rect::new(0.0, 0.0, w, h);
        let Some(frame) = to_skia(&Path::rect(&area)) else { return };
        let smooth = FilterQuality::Bilinear;
        let shader = Pattern::new(pixels.as_ref(), SpreadMode::Pad, smooth, 1.0, Transform::identity());
        let paint = Paint { shader, ..Paint::default() };
        let place = transform(&self.page.after(&map));
        let mask = mask(&self.cuts, map.cover(&area));
        self.pixels.fill_path(&frame, &paint, FillRule::Winding, place, mask);
    }

    fn clip(&mut self, path: &Path, rule: Rule, map: &Affine) {
        let path = path.mapped(map);
        let line = to_skia(&path).filter(|line| line.bounds().width() > 0.0 && line.bounds().height() > 0.0);
        let place = transform(&self.page);
        // Only for a box is it known what is wholly inside.
        let inner = upright(&path).unwrap_or_default();
        let cut = match self.cuts.last() {
            Some(outer) => {
                let mut mask = outer.mask.clone();
                match &line {
                    Some(line) => mask.intersect_path(line, inside(rule), true, place),
                    None => mask.clear(),
                }
                Cut { area: outer.area.common(&inner).unwrap_or_default(), mask }
            }
            None => {
                let mask = Mask::new(self.pixels.width(), self.pixels.height());
                let mut mask = mask.unwrap_or_else(|| unreachable!("the page has an area"));
                if let Some(line) = &line {
                    mask.fill_path(line, inside(rule), true, place);
                }
                Cut { area: inner, mask }
            }
        };
        self.cuts.push(cut);
    }

    fn unclip(&mut self) {
        self.cuts.pop();
    }
}

/// The box that a path draws, if it draws one.
fn upright(path: &Path) -> Option<Rect> {
    let area = path.cover()?;
    (*path == Path::rect(&area)).then_some(area)
}

fn inside(rule: Rule) -> FillRule {
    match rule {
        Rule::NonZero => FillRule::Winding,
        Rule::EvenOdd => FillRule::EvenOdd,
    }
}

fn paint(colour: Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(colour.r, colour.g, colour.b, colour.a);
    paint
}

fn pen_of(stroke: &Stroke) -> tiny_skia::Stroke {
    let dash: Vec<f32> = stroke.dash.iter().map(|&v| v as f32).collect();
    tiny_skia::Stroke {
        width: stroke.width as f32,
        line_cap: if stroke.round { LineCap::Round } else { LineCap::Butt },
        line_join: LineJoin::Round,
        dash: StrokeDash::new(dash, 0.0),
        ..tiny_skia::Stroke::default()
    }
}
