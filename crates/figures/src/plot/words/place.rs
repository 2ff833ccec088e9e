//! Places the text of a panel, the most important first.

use crate::plot::element::Element;
use crate::plot::figure::{LegendPlace, Panel};
use crate::plot::frame::Frame;
use crate::plot::legend::{self, Block, LegendEntry};
use crate::plot::obstacles::{Obstacles, lattice};
use crate::plot::style::Style;
use crate::scene::{Point, Rect, at};
use crate::text::{Label, TextError, Typesetter};
use std::sync::Arc;

/// A text with the middle of its box, and whether it is upright.
#[derive(Clone, Debug)]
pub(in crate::plot) struct Word {
    pub(in crate::plot) label: Arc<Label>,
    pub(in crate::plot) centre: Point,
    pub(in crate::plot) upright: bool,
}

/// All text inside a panel.
#[derive(Clone, Debug, Default)]
pub(in crate::plot) struct Words {
    pub(in crate::plot) words: Vec<Word>,
    /// From a value to its name, if they are apart.
    pub(in crate::plot) leaders: Vec<(Point, Point)>,
    /// White backgrounds of text that a reference line would cross.
    pub(in crate::plot) halos: Vec<Rect>,
    /// The legend and its corner, if it fits inside.
    pub(in crate::plot) inside: Option<(Point, Block)>,
    /// Legend entries that must go elsewhere.
    pub(in crate::plot) outside: Vec<LegendEntry>,
}

pub(super) struct Writer<'a> {
    pub(super) frame: &'a Frame,
    pub(super) style: &'a Style,
    pub(super) setter: &'a Typesetter,
    pub(super) things: Obstacles,
    pub(super) out: Words,
}

/// Places all text of a panel.
pub(in crate::plot) fn place(
    panel: &Panel,
    frame: &Frame,
    style: &Style,
    setter: &Typesetter,
) -> Result<Words, TextError> {
    let things = frame.obstacles(panel, style);
    let mut writer = Writer { frame, style, setter, things, out: Words::default() };
    let mut entries = if panel.legend == LegendPlace::None { Vec::new() } else { legend::entries(panel) };
    for element in &panel.elements {
        if let Element::Bars(bars) = element {
            bars.bars.iter().try_for_each(|bar| writer.value(bars, bar))?;
        }
    }
    for entry in writer.spots(panel)? {
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    for element in &panel.elements {
        if let Element::Remark(remark) = element {
            writer.remark(remark)?;
        }
    }
    for element in &panel.elements {
        if let Element::Guide(guide) = element
            && let Some(entry) = writer.guide(guide)?
            && !entries.contains(&entry)
        {
            entries.push(entry);
        }
    }
    if panel.legend == LegendPlace::Auto && !entries.is_empty() {
        let block = Block::stacked(&entries, style, setter)?;
        let inner = frame.area.grown(-0.6 * style.tick);
        let places =
            if block.w < 0.85 * frame.area.w { lattice(&inner, block.w, block.h) } else { Vec::new() };
        match writer.things.free(places, 0.35 * style.tick) {
            Some(spot) => {
                writer.things.block(spot);
                writer.out.inside = Some((at(spot.x, spot.y), block));
            }
            None => writer.out.outside = entries,
        }
    } else {
        writer.out.outside = entries;
    }
    for element in &panel.elements {
        if let Element::Region(region) = element {
            writer.region(region)?;
        }
    }
    Ok(writer.out)
}

impl Writer<'_> {
    pub(super) fn write(&mut self, label: Arc<Label>, area: Rect, upright: bool) {
        self.things.block(area);
        self.out.words.push(Word { label, centre: area.centre(), upright });
    }
}
