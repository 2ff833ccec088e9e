//! Reads an SVG file as the shapes that it consists of.

use super::expansion;
use crate::picture::error::Fault;
use crate::picture::load::{Content, Picture};
use crate::picture::sketch::Sketch;
use crate::picture::{pixels, stroke};
use crate::scene::{Affine, Path, Rect, Rule};
use std::sync::{Arc, Mutex, PoisonError};
use tiny_skia::Transform;
use usvg::roxmltree::{Document, ParsingOptions};
use usvg::{Group, ImageHrefResolver, ImageKind, Node, Options, Tree};

const REMEDY: &str = "turn text into paths and the rest into plain shapes (in Inkscape: Path > Object to Path), or \
                      export it as PNG";

const FOREIGN_IMAGE: &str = "an embedded image that is neither PNG nor JPEG";

pub(in crate::picture) fn picture(data: Vec<u8>) -> Result<Picture, Fault> {
    let broken = |error: &dyn std::fmt::Display| Fault::Broken(format!("it cannot be read as SVG ({error})"));
    let text = std::str::from_utf8(&data).map_err(|error| broken(&error))?;
    // Elements, and the texts between them.
    let nodes_limit = 4 * u32::try_from(expansion::MOST).unwrap_or(u32::MAX);
    let options = ParsingOptions { allow_dtd: true, nodes_limit, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| broken(&error))?;
    if let Some(excess) = expansion::excess(&document) {
        return Err(Fault::Unsupported { what: vec![excess], remedy: REMEDY });
    }
    let missing = Mutex::new(Vec::new());
    let lack = |what: String| missing.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    let options = Options {
        image_href_resolver: ImageHrefResolver {
            // By content, whatever kind is stated. An SVG within the SVG could be packed, and larger than any machine can hold.
            resolve_data: Box::new(|_, data, _| match &data[..] {
                [0x89, b'P', b'N', b'G', ..] => Some(ImageKind::PNG(data)),
                [0xff, 0xd8, ..] => Some(ImageKind::JPEG(data)),
                _ => {
                    lack(FOREIGN_IMAGE.to_owned());
                    None
                }
            }),
            resolve_string: Box::new(|name, _| {
                lack(format!("the image {name}, which is another file"));
                None
            }),
        },
        ..Options::default()
    };
    let tree = Tree::from_xmltree(&document, &options).map_err(|error| broken(&error))?;
    drop(options);
    let width = f64::from(tree.size().width());
    let height = f64::from(tree.size().height());
    let page = Rect::new(0.0, 0.0, width, height);
    let mut reader = SvgReader { sketch: Sketch::new(page), page, in_pattern: false };
    reader.look_for_text(&document);
    for what in missing.into_inner().unwrap_or_else(PoisonError::into_inner) {
        reader.sketch.lack(what);
    }
    reader.sketch.cut(Path::rect(&page), Rule::NonZero);
    reader.group(tree.root(), &Affine::IDENTITY);
    let artwork = reader.sketch.finish(REMEDY)?;
    Ok(Picture { width, height, content: Content::Artwork(Arc::new(artwork)) })
}

pub(super) struct SvgReader {
    pub(super) sketch: Sketch,
    pub(super) page: Rect,
    pub(super) in_pattern: bool,
}

impl SvgReader {
    /// Text is refused, since its fonts may be missing here.
    fn look_for_text(&mut self, document: &Document) {
        for node in document.descendants() {
            let holds = matches!(node.tag_name().name(), "text" | "foreignObject");
            if holds
                && node.descendants().any(|n| n.is_text() && n.text().is_some_and(|t| !t.trim().is_empty()))
            {
                self.sketch.lack("text");
            }
        }
    }

    /// Draws a group; `map` takes its parent's coordinates to the page. Transforms are accumulated from group to group,
    /// since usvg's absolute ones count those in a `use` twice.
    pub(super) fn group(&mut self, group: &Group, map: &Affine) {
        let place = &map.after(&affine(group.transform()));
        if group.mask().is_some() {
            self.sketch.lack("a mask");
        }
        if !group.filters().is_empty() {
            self.sketch.lack("a filter, such as blur or shadow");
        }
        if group.blend_mode() != usvg::BlendMode::Normal {
            self.sketch.lack("a blend mode");
        }
        let cuts = self.cuts(group, place);
        self.sketch.fade(group.opacity().get().into());
        for node in group.children() {
            if self.sketch.is_full() {
                break;
            }
            match node {
                Node::Group(group) => self.group(group, place),
                Node::Path(path) if path.is_visible() => self.path(path, place),
                Node::Image(image) if image.is_visible() => self.image(image, place),
                Node::Path(_) | Node::Image(_) => {}
                Node::Text(_) => self.sketch.lack("text"),
            }
        }
        self.sketch.unfade();
        for _ in 0..cuts {
            self.sketch.uncut();
        }
    }

    /// Opens the clips of a group and returns their number.
    fn cuts(&mut self, group: &Group, place: &Affine) -> usize {
        let mut count = 0;
        let mut next = group.clip_path();
        while let Some(clip) = next {
            let mut path = Path::default();
            let mut rule = Rule::NonZero;
            self.cut_shapes(clip.root(), &place.after(&affine(clip.transform())), &mut path, &mut rule);
            self.sketch.cut(path, rule);
            count += 1;
            next = clip.clip_path();
        }
        count
    }

    fn cut_shapes(&mut self, group: &Group, place: &Affine, all: &mut Path, rule: &mut Rule) {
        if group.clip_path().is_some() {
            self.sketch.lack("a clip path within another");
        }
        let place = &place.after(&affine(group.transform()));
        for node in group.children() {
            match node {
                Node::Group(group) => self.cut_shapes(group, place, all, rule),
                Node::Path(path) => {
                    let shape = stroke::from_skia(path.data());
                    all.0.extend(shape.mapped(place).0);
                    if path.fill().is_some_and(|fill| fill.rule() == usvg::FillRule::EvenOdd) {
                        *rule = Rule::EvenOdd;
                    }
                }
                Node::Image(_) | Node::Text(_) => self.sketch.lack("an image or text as a clip path"),
            }
        }
    }

    fn path(&mut self, path: &usvg::Path, place: &Affine) {
        let fill = path.fill().map(|fill| {
            let rule = match fill.rule() {
                usvg::FillRule::NonZero => Rule::NonZero,
                usvg::FillRule::EvenOdd => Rule::EvenOdd,
            };
            (stroke::from_skia(path.data()).mapped(place), rule, fill.paint(), fill.opacity().get())
        });
        let line = path.stroke().map(|pen| {
            let ink = stroke::outline(path.data(), &pen.to_tiny_skia(), place);
            (ink, Rule::NonZero, pen.paint(), pen.opacity().get())
        });
        let order = match path.paint_order() {
            usvg::PaintOrder::FillAndStroke => [fill, line],
            usvg::PaintOrder::StrokeAndFill => [line, fill],
        };
        for (outline, rule, paint, opacity) in order.into_iter().flatten() {
            self.sketch.fade(opacity.into());
            self.paint(outline, rule, paint, place);
            self.sketch.unfade();
        }
    }

    fn image(&mut self, image: &usvg::Image, place: &Affine) {
        let decoded = match image.kind() {
            ImageKind::PNG(data) => pixels::png(data),
            ImageKind::JPEG(data) => pixels::jpeg(data),
            ImageKind::SVG(_) | ImageKind::GIF(_) | ImageKind::WEBP(_) => {
                return self.sketch.lack(FOREIGN_IMAGE);
            }
        };
        let Ok(bitmap) = decoded else { return self.sketch.lack("an image that cannot be read") };
        if !self.sketch.has_room(bitmap.width, bitmap.height) {
            return;
        }
        let across = f64::from(image.size().width()) / f64::from(bitmap.width);
        let down = f64::from(image.size().height()) / f64::from(bitmap.height);
        self.sketch.image(bitmap, place.after(&Affine([across, 0.0, 0.0, down, 0.0, 0.0])));
    }
}

pub(super) fn affine(t: Transform) -> Affine {
    Affine([t.sx, t.ky, t.kx, t.sy, t.tx, t.ty].map(f64::from))
}
