//! PDF: one page with real text, in font subsets.

use super::canvas::{Canvas, Ink, check, draw};
use super::skia::build;
use super::{Metadata, OutputError};
use crate::scene::{Affine, Bitmap, Colour, Ground, Path, Rect, Rule, Scene, Segment, Stroke};
use crate::text::{Face, Run};
use krilla::color::rgb;
use krilla::geom::{self, Point, Size, Transform};
use krilla::image::Image;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{self, Fill, FillRule, LineCap, LineJoin, StrokeDash};
use krilla::surface::Surface;
use krilla::tagging::{ContentTag, Tag, TagGroup, TagTree};
use krilla::text::{Font, GlyphId, KrillaGlyph};
use krilla::{Document, SerializeSettings};
use std::sync::Arc;

/// The picture as a PDF file.
pub fn pdf(scene: &Scene, metadata: &Metadata) -> Result<Vec<u8>, OutputError> {
    check(scene)?;
    let refused = |reason: String| OutputError::Writer { format: "PDF", reason };
    let page = PageSettings::from_wh(scene.width as f32, scene.height as f32)
        .ok_or_else(|| refused("its page has no area".to_owned()))?;
    let mut document =
        Document::new_with(SerializeSettings { xmp_metadata: false, ..SerializeSettings::default() });
    document.set_metadata(
        krilla::metadata::Metadata::new()
            .title(metadata.title.clone())
            .description(metadata.description.clone())
            .keywords(metadata.sources.clone())
            .creator(metadata.creator.clone()),
    );
    let mut tags = TagTree::new();
    {
        // Page and surface are finished when they are dropped.
        let mut page = document.start_page_with(page);
        let mut canvas = PdfCanvas { surface: page.surface(), fonts: Vec::new(), images: Vec::new() };
        // Paper is white by itself.
        if let Some(colour) = scene.page.filter(|colour| Some(*colour) != Ground::White.page()) {
            let sheet = Path::rect(&Rect::new(0.0, 0.0, scene.width, scene.height));
            canvas.shape(&sheet, &Ink { fill: Some(colour), ..Ink::default() }, &Affine::IDENTITY);
        }
        let content = canvas.surface.start_tagged(ContentTag::Other);
        draw(scene, &mut canvas);
        canvas.surface.end_tagged();
        let mut figure = TagGroup::new(Tag::Figure(Some(metadata.description.clone())));
        figure.push(content);
        tags.push(figure);
    }
    document.set_tag_tree(tags);
    document.finish().map_err(|error| refused(format!("{error:?}")))
}

struct PdfCanvas<'a> {
    surface: Surface<'a>,
    fonts: Vec<(Arc<Face>, Font)>,
    images: Vec<(Arc<Bitmap>, Image)>,
}

impl PdfCanvas<'_> {
    fn font(&mut self, face: &Arc<Face>) -> Option<Font> {
        if let Some((_, font)) = self.fonts.iter().find(|(known, _)| Arc::ptr_eq(known, face)) {
            return Some(font.clone());
        }
        let font = Font::new(face.data().into(), 0)?;
        self.fonts.push((face.clone(), font.clone()));
        Some(font)
    }
}

impl Canvas for PdfCanvas<'_> {
    fn shape(&mut self, path: &Path, ink: &Ink, map: &Affine) {
        let Some(path) = outline(path) else { return };
        self.surface.set_fill(ink.fill.map(|colour| fill(colour, ink.rule)));
        self.surface.set_stroke(ink.stroke.map(pen));
        self.surface.push_transform(&transform(map));
        self.surface.draw_path(&path);
        self.surface.pop();
    }

    fn run(&mut self, run: &Run, map: &Affine) {
        let (Some(first), Some(font)) = (run.glyphs.first(), self.font(&run.face)) else { return };
        let share = |length: f64| (length / run.size) as f32;
        // Each glyph advances to the next one, which preserves kerning and the positions in formulas.
        let next = run.glyphs.iter().skip(1).map(|glyph| glyph.x).chain([run.end]);
        let glyphs: Vec<KrillaGlyph> = run
            .glyphs
            .iter()
            .zip(next)
            .map(|(glyph, next)| {
                let advance = share(next - glyph.x);
                let rise = share(first.y - glyph.y);
                KrillaGlyph::new(GlyphId::new(glyph.id), advance, 0.0, rise, 0.0, glyph.text.clone(), None)
            })
            .collect();
        self.surface.set_fill(Some(fill(run.colour, Rule::NonZero)));
        self.surface.set_stroke(None);
        self.surface.push_transform(&transform(map));
        let start = Point::from_xy(first.x as f32, first.y as f32);
        self.surface.draw_glyphs(start, &glyphs, font, &run.text, run.size as f32, false);
        self.surface.pop();
    }

    fn image(&mut self, bitmap: &Arc<Bitmap>, map: &Affine) {
        let known = self.images.iter().find(|(known, _)| Arc::ptr_eq(known, bitmap));
        let image = known.map(|(_, image)| image.clone()).unwrap_or_else(|| {
            let image = Image::from_rgba8(bitmap.rgba.clone(), bitmap.width, bitmap.height);
            self.images.push((bitmap.clone(), image.clone()));
            image
        });
        if let Some(size) = Size::from_wh(bitmap.width as f32, bitmap.height as f32) {
            self.surface.push_transform(&transform(map));
            self.surface.draw_image(image, size);
            self.surface.pop();
        }
    }

    fn clip(&mut self, path: &Path, rule: Rule, map: &Affine) {
        // A clip without an area is not a valid path; a box off the page also hides everything.
        let far = Path::rect(&Rect::new(-2.0, -2.0, 1.0, 1.0));
        let has_area = path.cover().is_some_and(|area| area.w > 0.0 && area.h > 0.0);
        let cut = if has_area { path.mapped(map) } else { far };
        let path = outline(&cut).unwrap_or_else(|| unreachable!("what has an area is a path"));
        self.surface.push_clip_path(&path, &inside(rule));
    }

    fn unclip(&mut self) {
        self.surface.pop();
    }
}

fn outline(path: &Path) -> Option<geom::Path> {
    build!(geom::PathBuilder::new(), path)
}

fn transform(map: &Affine) -> Transform {
    let [a, b, c, d, e, f] = map.0.map(|v| v as f32);
    Transform::from_row(a, b, c, d, e, f)
}

fn paint_of(colour: Colour) -> (paint::Paint, NormalizedF32) {
    let opacity = NormalizedF32::new(f32::from(colour.a) / 255.0).unwrap_or(NormalizedF32::ONE);
    (rgb::Color::new(colour.r, colour.g, colour.b).into(), opacity)
}

fn fill(colour: Colour, rule: Rule) -> Fill {
    let (paint, opacity) = paint_of(colour);
    Fill { paint, opacity, rule: inside(rule) }
}

fn inside(rule: Rule) -> FillRule {
    match rule {
        Rule::NonZero => FillRule::NonZero,
        Rule::EvenOdd => FillRule::EvenOdd,
    }
}

fn pen(stroke: &Stroke) -> paint::Stroke {
    let (paint, opacity) = paint_of(stroke.colour);
    let dash = StrokeDash { array: stroke.dash.iter().map(|&v| v as f32).collect(), offset: 0.0 };
    paint::Stroke {
        paint,
        opacity,
        width: stroke.width as f32,
        line_cap: if stroke.round { LineCap::Round } else { LineCap::Butt },
        line_join: LineJoin::Round,
        dash: (!stroke.dash.is_empty()).then_some(dash),
        ..paint::Stroke::default()
    }
}
