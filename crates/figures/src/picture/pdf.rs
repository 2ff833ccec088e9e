//! The first page of a PDF file.

mod image;
mod paint;

use super::error::Fault;
use super::load::{Content, Picture};
use super::sketch::Sketch;
use super::{pixels, stroke};
use crate::output::to_skia;
use crate::scene::{Affine, Path, Rect, Rule, Segment, at};
use hayro_interpret::font::Glyph;
use hayro_interpret::hayro_syntax::object::dict::keys::CA_NS;
use hayro_interpret::hayro_syntax::object::{MaybeRef, Object};
use hayro_interpret::hayro_syntax::{LoadPdfError, Pdf};
use hayro_interpret::util::TransformExt;
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, FillRule, GlyphDrawMode, Image, InterpreterCache,
    InterpreterSettings, InterpreterWarning, Paint, PathDrawMode, SoftMask, StrokeProps, interpret_page,
};
use image::{coloured, stencilled};
use kurbo::{BezPath, PathEl};
use std::sync::{Arc, Mutex, PoisonError};
use tiny_skia::{LineCap, LineJoin, StrokeDash};

const REMEDY: &str = "export it without (flatten transparency), or as SVG or PNG";

/// The first page of a PDF file as a picture.
pub(super) fn picture(data: Vec<u8>) -> Result<Picture, Fault> {
    let broken = |why: &str| Fault::Broken(why.to_owned());
    let pdf = Pdf::new(Arc::new(data)).map_err(|error| match error {
        LoadPdfError::Decryption(_) => broken("it is encrypted: save it without a password"),
        LoadPdfError::Invalid => broken("it cannot be read as PDF"),
    })?;
    let page = pdf.pages().first().ok_or_else(|| broken("it has no pages"))?;
    let (width, height) = page.render_dimensions();
    let (width, height) = (f64::from(width), f64::from(height));
    if !(width > 0.0 && height > 0.0 && width <= 1e6 && height <= 1e6) {
        return Err(broken("its first page has no sensible size"));
    }
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let sink = warnings.clone();
    let settings = InterpreterSettings {
        warning_sink: Arc::new(move |warning| {
            sink.lock().unwrap_or_else(PoisonError::into_inner).push(warning)
        }),
        ..InterpreterSettings::default()
    };
    let cache = InterpreterCache::new();
    let area = kurbo::Rect::new(0.0, 0.0, width, height);
    let start = page.initial_transform(true).to_kurbo();
    let mut context = Context::new(start, area, &cache, page.xref(), settings);
    let mut reader = Reader { page: Rect::new(0.0, 0.0, width, height), ..Reader::default() };
    reader.sketch.cut(Path::rect(&reader.page), Rule::NonZero);
    interpret_page(page, &mut context, &mut reader);
    for warning in warnings.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        reader.sketch.lack(match warning {
            InterpreterWarning::UnsupportedFont => "a font that cannot be read",
            _ => "an image that cannot be read",
        });
    }
    // How much a pattern covers is not handed on: where all colours cover, that is known all the same.
    if reader.patterned && pdf.objects().into_iter().any(|object| sees_through(&object)) {
        reader.sketch.lack("a pattern beside see-through colours");
    }
    let artwork = reader.sketch.finish(REMEDY)?;
    Ok(Picture { width, height, content: Content::Artwork(Arc::new(artwork)) })
}

/// Whether an object holds a setting by which fillings are seen through.
fn sees_through(object: &Object) -> bool {
    let dict = match object {
        Object::Dict(dict) => dict,
        Object::Stream(stream) => stream.dict(),
        _ => return false,
    };
    let faint = dict.get::<f32>(CA_NS).is_some_and(|opacity| opacity > 0.0 && opacity < 1.0);
    // What is referred to is an object of its own.
    let inside = |value| matches!(value, MaybeRef::NotRef(object) if sees_through(&object));
    faint || dict.entries().any(|(_, value)| inside(value))
}

#[derive(Default)]
struct Reader {
    sketch: Sketch,
    page: Rect,
    masked: bool,
    blended: bool,
    /// Whether something was filled with a pattern.
    patterned: bool,
}

impl Reader {
    /// Notes what is in force and cannot be drawn.
    fn note(&mut self) {
        if self.masked {
            self.sketch.lack("a soft mask");
        }
        if self.blended {
            self.sketch.lack("a blend mode");
        }
    }

    fn line<'a>(&mut self, path: &BezPath, place: kurbo::Affine, paint: &Paint<'a>, pen: &StrokeProps) {
        if let Some(line) = to_skia(&from_kurbo(path)) {
            let ink = stroke::outline(&line, &skia_pen(pen, place), &Affine(place.as_coeffs()));
            self.paint(ink, Rule::NonZero, paint, true);
        }
    }
}

impl<'a> Device<'a> for Reader {
    fn set_soft_mask(&mut self, mask: Option<SoftMask<'a>>) {
        self.masked = mask.is_some();
    }

    fn set_blend_mode(&mut self, mode: BlendMode) {
        self.blended = mode != BlendMode::Normal;
    }

    fn draw_path(&mut self, path: &BezPath, place: kurbo::Affine, paint: &Paint<'a>, mode: &PathDrawMode) {
        match mode {
            PathDrawMode::Fill(fill) => self.paint(from_kurbo(&(place * path)), rule(*fill), paint, false),
            PathDrawMode::Stroke(pen) => self.line(path, place, paint, pen),
        }
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.sketch.cut(from_kurbo(&clip.path), rule(clip.fill));
    }

    fn pop_clip_path(&mut self) {
        self.sketch.uncut();
    }

    fn push_transparency_group(&mut self, opacity: f32, mask: Option<SoftMask<'a>>, mode: BlendMode) {
        if mask.is_some() {
            self.sketch.lack("a soft mask");
        }
        if mode != BlendMode::Normal {
            self.sketch.lack("a blend mode");
        }
        self.sketch.fade(opacity.into());
    }

    fn pop_transparency_group(&mut self) {
        self.sketch.unfade();
    }

    fn draw_glyph(
        &mut self,
        glyph: &Glyph<'a>,
        place: kurbo::Affine,
        own: kurbo::Affine,
        paint: &Paint<'a>,
        mode: &GlyphDrawMode,
    ) {
        match (glyph, mode) {
            (_, GlyphDrawMode::Invisible) => {}
            (Glyph::Outline(glyph), GlyphDrawMode::Fill) => {
                let path = from_kurbo(&(place * own * glyph.outline()));
                self.paint(path, Rule::NonZero, paint, false);
            }
            (Glyph::Outline(glyph), GlyphDrawMode::Stroke(pen)) => {
                self.line(&(own * glyph.outline()), place, paint, pen);
            }
            (Glyph::Type3(glyph), _) => glyph.interpret(self, place, own, paint),
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, place: kurbo::Affine) {
        self.note();
        if pixels::check_size(image.width().into(), image.height().into()).is_err() {
            return self.sketch.lack("an image of more than a hundred million pixels");
        }
        let mut drawn = None;
        let mut lack = None;
        match image {
            Image::Raster(image) => image.with_rgba(|data, alpha| drawn = Some(coloured(data, alpha)), None),
            Image::Stencil(image) => image.with_stencil(
                |mask, paint| match paint {
                    Paint::Color(colour) => drawn = Some(stencilled(mask, colour.to_rgba().to_rgba8())),
                    Paint::Pattern(_) => lack = Some("an image filled with a pattern"),
                },
                None,
            ),
        }
        match drawn {
            Some((bitmap, (across, down))) => {
                let place = Affine(place.as_coeffs());
                let scale = Affine([f64::from(across), 0.0, 0.0, f64::from(down), 0.0, 0.0]);
                self.sketch.image(bitmap, place.after(&scale));
            }
            None => self.sketch.lack(lack.unwrap_or("an image that cannot be read")),
        }
    }
}

fn rule(fill: FillRule) -> Rule {
    match fill {
        FillRule::NonZero => Rule::NonZero,
        FillRule::EvenOdd => Rule::EvenOdd,
    }
}

fn from_kurbo(path: &BezPath) -> Path {
    let place = |p: kurbo::Point| at(p.x, p.y);
    let segment = |element: &PathEl| match *element {
        PathEl::MoveTo(p) => Segment::Move(place(p)),
        PathEl::LineTo(p) => Segment::Line(place(p)),
        PathEl::QuadTo(c, p) => Segment::Quad(place(c), place(p)),
        PathEl::CurveTo(c, d, p) => Segment::Cubic(place(c), place(d), place(p)),
        PathEl::ClosePath => Segment::Close,
    };
    Path(path.elements().iter().map(segment).collect())
}

fn skia_pen(pen: &StrokeProps, place: kurbo::Affine) -> tiny_skia::Stroke {
    // A width of nothing means the thinnest line there is; a quarter of a point can still be printed.
    let scale = place.determinant().abs().sqrt().max(1e-9) as f32;
    tiny_skia::Stroke {
        width: pen.line_width.max(0.25 / scale),
        miter_limit: pen.miter_limit,
        line_cap: match pen.line_cap {
            kurbo::Cap::Butt => LineCap::Butt,
            kurbo::Cap::Round => LineCap::Round,
            kurbo::Cap::Square => LineCap::Square,
        },
        line_join: match pen.line_join {
            kurbo::Join::Bevel => LineJoin::Bevel,
            kurbo::Join::Miter => LineJoin::Miter,
            kurbo::Join::Round => LineJoin::Round,
        },
        dash: StrokeDash::new(pen.dash_array.to_vec(), pen.dash_offset),
    }
}
