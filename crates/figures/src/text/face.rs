//! One face of a typeface: which glyphs it has, how they are measured and what they look like.

use crate::scene::{Path, Rect, Segment, at};
use harfrust::{Direction, ShaperData, UnicodeBuffer};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The bytes of a font.
pub(crate) type FontData = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A face.
pub(crate) struct Face {
    name: String,
    data: FontData,
    shaper: ShaperData,
    units: f64,
    capital: f64,
    outlines: Mutex<BTreeMap<u32, Arc<Outline>>>,
}

/// What a glyph looks like, in the units of its face.
#[derive(Debug)]
pub(crate) struct Outline {
    /// Its outline, with y growing downwards.
    pub(crate) path: Path,
    /// The box around it; nothing for a space.
    pub(crate) ink: Option<Rect>,
    /// How far the next glyph stands from it.
    pub(crate) advance: f64,
}

/// A glyph where shaping puts it, in the units of its face.
pub(super) struct Shaped {
    pub(super) id: u32,
    pub(super) advance: f64,
    pub(super) offset: (f64, f64),
    /// The bytes of the text that it stands for.
    pub(super) text: Range<usize>,
}

impl Face {
    /// A face from the bytes of a font file; nothing if they are not one or it has no outlines.
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

    /// Its name, which no other face of the program has.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The font file.
    pub(crate) fn data(&self) -> FontData {
        self.data.clone()
    }

    /// How many of its units are as long as the size of the text.
    pub(crate) fn units(&self) -> f64 {
        self.units
    }

    /// The height of capitals, as a share of the size of the text.
    pub(super) fn capital(&self) -> f64 {
        self.capital
    }

    fn font(&self) -> FontRef<'_> {
        FontRef::from_index((*self.data).as_ref(), 0).unwrap_or_else(|_| unreachable!("it opened before"))
    }

    /// The glyph of a character, if there is one.
    pub(super) fn glyph(&self, c: char) -> Option<u32> {
        self.font().charmap().map(c).map(|id| id.to_u32()).filter(|&id| id != 0)
    }

    /// What a glyph looks like.
    pub(crate) fn outline(&self, id: u32) -> Arc<Outline> {
        let mut known = self.outlines.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(id).or_insert_with(|| Arc::new(self.draw(id))).clone()
    }

    fn draw(&self, id: u32) -> Outline {
        let font = self.font();
        let mut pen = Pen::default();
        if let Some(glyph) = font.outline_glyphs().get(id.into()) {
            // A glyph that cannot be drawn is left as far as it went: a damaged font stays the user's to see.
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
        let (infos, places) = (shaped.glyph_infos(), shaped.glyph_positions());
        let glyph = |i: usize| {
            let start = infos[i].cluster as usize;
            let after = infos[i..].iter().map(|info| info.cluster as usize).find(|&at| at > start);
            Shaped {
                id: infos[i].glyph_id,
                advance: f64::from(places[i].x_advance),
                offset: (f64::from(places[i].x_offset), -f64::from(places[i].y_offset)),
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
        let (a, b) = (at(ax.into(), -f64::from(ay)), at(bx.into(), -f64::from(by)));
        self.0.0.push(Segment::Cubic(a, b, at(x.into(), -f64::from(y))));
    }

    fn close(&mut self) {
        self.0.0.push(Segment::Close);
    }
}
