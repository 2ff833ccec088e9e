//! SVG: outlines, so that it looks the same everywhere, or text where that is wanted. Each glyph is defined once and reused, within a file or, on a
//! [`Sheet`], by all pictures of a page.

use super::canvas::{Canvas, Ink, check, draw};
use super::definitions::Definitions;
use super::pixels::{Extras, encode};
use super::svg_text;
use super::xml::{map as transform, number, outline};
use super::{Metadata, OutputError};
use crate::plot::INK;
use crate::scene::{Affine, Bitmap, Colour, Meaning, Path, Rule, Scene, Stroke};
use crate::text::{Face, Label, Run};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use record::escape;
use std::fmt::Write;
use std::sync::Arc;

/// The picture as an SVG file.
pub fn svg(scene: &Scene, metadata: &Metadata) -> Result<String, OutputError> {
    let mut definitions = Definitions::default();
    let picture = drawn(scene, &mut definitions)?;
    let defs = format!("<defs>\n{}</defs>\n", definitions.text());
    Ok(picture.opening + &titles(metadata) + &origin(metadata) + &picture.ground + &defs + &picture.body)
}

/// The pictures of one page, which share what they define.
#[derive(Debug)]
pub struct Sheet(Definitions);

impl Default for Sheet {
    fn default() -> Self {
        Self(Definitions::short())
    }
}

impl Sheet {
    /// The picture as an element of a page that holds the [`Self::definitions`] too. The page says where its numbers come from.
    pub fn add(&mut self, scene: &Scene, metadata: &Metadata) -> Result<String, OutputError> {
        let picture = drawn(scene, &mut self.0)?;
        Ok(picture.opening + &titles(metadata) + &picture.ground + &picture.body)
    }

    /// What the pictures so far refer to, for the inside of one `<defs>` on their page.
    pub fn definitions(&self) -> &str {
        self.0.text()
    }
}

/// An SVG element in parts.
struct Picture {
    opening: String,
    /// What everything else is drawn on.
    ground: String,
    /// With the end of the element.
    body: String,
}

fn drawn(scene: &Scene, definitions: &mut Definitions) -> Result<Picture, OutputError> {
    check(scene)?;
    // What most marks of a page share is said once for each picture.
    let (space, common) = if definitions.are_shared() {
        ("", format!("{} stroke-linejoin=\"round\"", colour("fill", Some(INK))))
    } else {
        (" xmlns=\"http://www.w3.org/2000/svg\"", String::new())
    };
    let mut canvas = SvgCanvas {
        definitions,
        body: String::new(),
        meaning: String::new(),
        failed: None,
        line_end: 0,
        has_text: scene.svg_text,
    };
    draw(scene, &mut canvas);
    if let Some(error) = canvas.failed {
        return Err(error);
    }
    let w = number(scene.width);
    let h = number(scene.height);
    // What is an image to readers has no text of its own.
    let role = if scene.svg_text { "figure" } else { "img" };
    let opening = format!(
        "<svg{space} width=\"{w}pt\" height=\"{h}pt\" viewBox=\"0 0 {w} {h}\" \
         role=\"{role}\"{common}>\n"
    );
    let sheet =
        |page: Colour| format!("<rect width=\"{w}\" height=\"{h}\"{}/>\n", colour("fill", Some(page)));
    let ground = scene.page.map_or_else(String::new, sheet);
    Ok(Picture { opening, ground, body: canvas.body + "</svg>\n" })
}

fn tagged(tag: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<{tag}>{}</{tag}>\n", escape::xml(text)) }
}

/// What a reader hears who cannot see it.
fn titles(metadata: &Metadata) -> String {
    tagged("title", &metadata.title) + &tagged("desc", &metadata.description)
}

/// Where its numbers come from.
fn origin(metadata: &Metadata) -> String {
    let sources: String = metadata.sources.iter().map(|source| tagged("dc:source", source)).collect();
    let facts = tagged("dc:title", &metadata.title) + &tagged("dc:creator", &metadata.creator) + &sources;
    format!("<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n{facts}</metadata>\n")
}

struct SvgCanvas<'a> {
    definitions: &'a mut Definitions,
    body: String,
    /// Attributes of the next outline.
    meaning: String,
    failed: Option<OutputError>,
    /// The length of the body right after a line that means nothing by itself.
    line_end: usize,
    /// Whether letters are text in place of outlines.
    has_text: bool,
}

impl SvgCanvas<'_> {
    fn glyph(&mut self, face: &Face, id: u32) -> Option<String> {
        let outline_of = face.outline(id);
        outline_of.ink?;
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let name = format!("{}-{id}", face.name().chars().map(plain).collect::<String>());
        let path = || outline(&outline_of.path);
        Some(self.definitions.id(name, |id| format!("<path id=\"{id}\" d=\"{}\"/>", path())))
    }
}

impl Canvas for SvgCanvas<'_> {
    fn shape(&mut self, path: &Path, ink: &Ink, map: &Affine) {
        let pen = attributes(ink, map, self.definitions.are_shared());
        let meaning = std::mem::take(&mut self.meaning);
        let is_line = self.definitions.are_shared() && meaning.is_empty() && ink.fill.is_none();
        let closing = format!("\"{meaning}{pen}/>\n");
        if let Some((id, p)) = self.definitions.marker(path, map) {
            let (x, y) = (number(p.x), number(p.y));
            let _ = write!(self.body, "<use href=\"#{id}\" x=\"{x}\" y=\"{y}{closing}");
        } else if is_line && self.line_end == self.body.len() && self.body.ends_with(&closing) {
            // On a page, lines of one pen that follow one another are one path.
            self.body.insert_str(self.body.len() - closing.len(), &outline(path));
            self.line_end = self.body.len();
        } else {
            let _ = write!(self.body, "<path d=\"{}{closing}", outline(path));
            self.line_end = if is_line { self.body.len() } else { 0 };
        }
    }

    fn means(&mut self, meaning: &Meaning) {
        for (tag, value) in meaning.tags() {
            let _ = write!(self.meaning, " data-{}=\"{}\"", tag.name(), escape::xml(value));
        }
    }

    fn run(&mut self, run: &Run, map: &Affine) {
        if self.has_text
            && let Some(text) = svg_text::element(run, map)
        {
            self.body.push_str(&text);
            return;
        }
        let scale = run.size / run.face.units();
        let map = transform(&map.after(&Affine::scale(scale)));
        let is_common = self.definitions.are_shared() && run.colour == INK;
        let fill = if is_common { String::new() } else { colour("fill", Some(run.colour)) };
        let _ = write!(self.body, "<g{fill} transform=\"{map}\">");
        for glyph in &run.glyphs {
            let Some(name) = self.glyph(&run.face, glyph.id) else { continue };
            // In units of the face, a tenth is finer than a thousandth of a point.
            let in_face = |v: f64| number((v / scale * 10.0).round() / 10.0);
            let _ = write!(self.body, "<use href=\"#{name}\" x=\"{}\"", in_face(glyph.x));
            if in_face(glyph.y) != "0" {
                let _ = write!(self.body, " y=\"{}\"", in_face(glyph.y));
            }
            self.body.push_str("/>");
        }
        self.body.push_str("</g>\n");
    }

    fn begin_label(&mut self, label: &Label) {
        if self.has_text {
            self.body.push_str("<g>\n");
            return;
        }
        let text = escape::xml(&label.text().replace('\n', " "));
        let _ = writeln!(self.body, "<g aria-label=\"{text}\">");
    }

    fn end_label(&mut self) {
        self.body.push_str("</g>\n");
    }

    fn image(&mut self, bitmap: &Arc<Bitmap>, map: &Affine) {
        let Bitmap { width, height, rgba } = &**bitmap;
        match encode(rgba, *width, *height, png::ColorType::Rgba, &Extras::default()) {
            Ok(file) => {
                let map = transform(map);
                let data = STANDARD.encode(file);
                let _ = writeln!(
                    self.body,
                    "<image width=\"{width}\" height=\"{height}\" transform=\"{map}\" \
                     href=\"data:image/png;base64,{data}\"/>"
                );
            }
            Err(error) => self.failed = Some(error),
        }
    }

    fn clip(&mut self, path: &Path, rule: Rule, map: &Affine) {
        let line = outline(&path.mapped(map));
        let (rule, mark) = match rule {
            Rule::NonZero => ("", ""),
            Rule::EvenOdd => (" clip-rule=\"evenodd\"", "e"),
        };
        let name = format!("clip{mark}-{:016x}", fingerprint(line.as_bytes()));
        let clip = |id: &str| format!("<clipPath id=\"{id}\"><path d=\"{line}\"{rule}/></clipPath>");
        let id = self.definitions.id(name, clip);
        let _ = writeln!(self.body, "<g clip-path=\"url(#{id})\">");
    }

    fn unclip(&mut self) {
        self.body.push_str("</g>\n");
    }
}

/// FNV-1a, for short ids.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

pub(super) fn colour(what: &str, of: Option<Colour>) -> String {
    let Some(colour) = of else { return format!(" {what}=\"none\"") };
    let opacity = match colour.a {
        255 => String::new(),
        a => format!(" {what}-opacity=\"{}\"", number(f64::from(a) / 255.0)),
    };
    format!(" {what}=\"{}\"{opacity}", colour.css())
}

/// Fill, pen and place of a shape.
fn attributes(ink: &Ink, map: &Affine, is_joined: bool) -> String {
    let mut out = colour("fill", ink.fill);
    if ink.rule == Rule::EvenOdd {
        out.push_str(" fill-rule=\"evenodd\"");
    }
    if let Some(stroke) = ink.stroke {
        out.push_str(&pen(stroke, is_joined));
    }
    if *map != Affine::IDENTITY {
        let _ = write!(out, " transform=\"{}\"", transform(map));
    }
    out
}

fn pen(stroke: &Stroke, is_joined: bool) -> String {
    let mut out = colour("stroke", Some(stroke.colour));
    let _ = write!(out, " stroke-width=\"{}\"", number(stroke.width));
    if !is_joined {
        out.push_str(" stroke-linejoin=\"round\"");
    }
    if stroke.round {
        out.push_str(" stroke-linecap=\"round\"");
    }
    if !stroke.dash.is_empty() {
        let lengths: Vec<String> = stroke.dash.iter().map(|&v| number(v)).collect();
        let _ = write!(out, " stroke-dasharray=\"{}\"", lengths.join(" "));
    }
    out
}
