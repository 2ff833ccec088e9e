//! One face of a typeface: its glyphs, their metrics and outlines.

use crate::scene::{Path, Rect, Segment, at};
use harfrust::{Direction, ShaperData, UnicodeBuffer};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::string::StringId;
use skrifa::{FontRef, MetadataProvider};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The bytes of a font.
pub(crate) type FontData = Arc<dyn AsRef<[u8]> + Send + Sync>;

pub(crate) struct Face {
    name: String,
    data: FontData,
    shaper: ShaperData,
    units: f64,
    capital: f64,
    outlines: Mutex<BTreeMap<u32, Arc<Outline>>>,
}

/// A glyph in the units of its face, with y pointing down.
#[derive(Debug)]
pub(crate) struct Outline {
    pub(crate) path: Path,
    /// Its bounding box; `None` for a space.
    pub(crate) ink: Option<Rect>,
    pub(crate) advance: f64,
}

/// A shaped glyph, in the units of its face.
pub(super) struct Shaped {
    pub(super) id: u32,
    pub(super) advance: f64,
    pub(super) offset: (f64, f64),
    /// The bytes of the text that it represents.
    pub(super) text: Range<usize>,
}

impl Face {
    /// A face from a font file; `None` if it is not one or has no outlines.
    pub(super) fn new(name: &str, data: FontData) -> Option<Self> {
        let bytes = (*data).as_ref();
        let font = FontRef::from_index(bytes, 0).ok()?;
        let units = f64::from(font.metrics(Size::unscaled(), LocationRef::default()).units_per_em);
        font.outline_glyphs().format().filter(|_| units > 0.0)?;
        let mut face = Self {
            name: name.to_owned(),
            shaper: ShaperData::new(&font),
            data: data.clone(),
            units,
            capital: 0.0,
            outlines: Mutex::default(),
        };
        let capital = face.glyph('H').and_then(|id| face.outline(id).ink);
        face.capital = capital.map_or(0.7, |ink| -ink.y / units);
        Some(face)
    }

    /// Unique among all faces.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The family that it belongs to, by its file, and whether it is bold and italic, for programs that set text themselves.
    pub(crate) fn family(&self) -> (String, bool, bool) {
        let font = self.font();
        let string = |id: StringId| {
            font.localized_strings(id).english_or_first().map(|found| found.to_string()).unwrap_or_default()
        };
        let kind = string(StringId::SUBFAMILY_NAME);
        (
            string(StringId::FAMILY_NAME),
            kind.contains("Bold"),
            kind.contains("Italic") || kind.contains("Oblique"),
        )
    }

    /// The bytes of the font file.
    pub(crate) fn data(&self) -> FontData {
        self.data.clone()
    }

    /// Units per em.
    pub(crate) fn units(&self) -> f64 {
        self.units
    }

    /// Height of capitals, as a share of the font size.
    pub(super) fn capital(&self) -> f64 {
        self.capital
    }

    fn font(&self) -> FontRef<'_> {
        FontRef::from_index((*self.data).as_ref(), 0).unwrap_or_else(|_| unreachable!("it opened before"))
    }

    /// The glyph of a character, if there is one.
    pub(crate) fn glyph(&self, c: char) -> Option<u32> {
        self.font().charmap().map(c).map(|id| id.to_u32()).filter(|&id| id != 0)
    }

    pub(crate) fn outline(&self, id: u32) -> Arc<Outline> {
        let mut known = self.outlines.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(id).or_insert_with(|| Arc::new(self.draw(id))).clone()
    }

    fn draw(&self, id: u32) -> Outline {
        let font = self.font();
        let mut pen = Pen::default();
        if let Some(glyph) = font.outline_glyphs().get(id.into()) {
            // A glyph of a damaged font is drawn as far as possible.
            let _ = glyph.draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), &mut pen);
        }
        let advance = font.glyph_metrics(Size::unscaled(), LocationRef::default()).advance_width(id.into());
        Outline { ink: pen.0.cover(), path: pen.0, advance: advance.map_or(0.0, f64::from) }
    }

    /// The glyphs of a text, with kerning and ligatures.
    pub(super) fn shape(&self, text: &str) -> Vec<Shaped> {
        let font = self.font();
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        buffer.set_direction(Direction::LeftToRight);
        let shaped = self.shaper.shaper(&font).build().shape(buffer, Default::default());
        let infos = shaped.glyph_infos();
        let positions = shaped.glyph_positions();
        let glyph = |i: usize| {
            let start = infos[i].cluster as usize;
            let after = infos[i..].iter().map(|info| info.cluster as usize).find(|&at| at > start);
            Shaped {
                id: infos[i].glyph_id,
                advance: f64::from(positions[i].x_advance),
                offset: (f64::from(positions[i].x_offset), -f64::from(positions[i].y_offset)),
                text: start..after.unwrap_or(text.len()),
            }
        };
        (0..infos.len()).map(glyph).collect()
    }
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[derive(Default)]
struct Pen(Path);

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.0.push(Segment::Move(at(x.into(), -f64::from(y))));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.0.push(Segment::Line(at(x.into(), -f64::from(y))));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.0.0.push(Segment::Quad(at(cx.into(), -f64::from(cy)), at(x.into(), -f64::from(y))));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let a = at(ax.into(), -f64::from(ay));
        let b = at(bx.into(), -f64::from(by));
        self.0.0.push(Segment::Cubic(a, b, at(x.into(), -f64::from(y))));
    }

    fn close(&mut self) {
        self.0.0.push(Segment::Close);
    }
}
