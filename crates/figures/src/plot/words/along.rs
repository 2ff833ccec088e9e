//! Text along a reference line and in a shaded region.

use super::place::Writer;
use crate::plot::element::{Guide, Region};
use crate::plot::fitted_axis;
use crate::plot::legend::{LegendEntry, Sample};
use crate::plot::obstacles::lattice;
use crate::scene::{Rect, at};
use crate::text::{Align, TextError};

impl Writer<'_> {
    /// The label of a reference line, along it; a legend entry if there is no room.
    pub(super) fn guide(&mut self, guide: &Guide) -> Result<Option<LegendEntry>, TextError> {
        let Some(text) = &guide.label else { return Ok(None) };
        if self.frame.guide(guide).is_none() {
            return Ok(None);
        }
        let sample = Sample::Guide { colour: guide.colour, dash: guide.dash };
        let entry = LegendEntry { sample, name: text.clone() };
        let label = self.setter.set(text, &self.style.note_text(guide.colour))?;
        let size = label.area();
        let Some([start, end]) = self.frame.guide(guide) else { return Ok(None) };
        let area = self.frame.area;
        let gap = 0.3 * self.style.tick;
        let inset = 0.4 * self.style.tick;
        let mut places = Vec::new();
        if guide.vertical {
            let x = start.x;
            for y in [start.y + inset, end.y - inset - size.w, (start.y + end.y - size.w) / 2.0] {
                places.push(Rect::new(x + gap, y, size.h, size.w));
                places.push(Rect::new(x - gap - size.h, y, size.h, size.w));
            }
        } else {
            let y = start.y;
            let room = end.x - start.x - 2.0 * inset - size.w;
            // Its ends and its middle first.
            for share in [1.0, 0.0, 0.5, 0.75, 0.25, 0.88, 0.12, 0.63, 0.37] {
                let x = start.x + inset + share * room;
                places.push(Rect::new(x, y - gap - size.h, size.w, size.h));
                places.push(Rect::new(x, y + gap, size.w, size.h));
            }
        }
        let inside = places.into_iter().filter(|r| area.encloses(r));
        if let Some(area) = self.things.empty(inside, 0.12 * self.style.tick) {
            self.write(label, area, guide.vertical);
            return Ok(None);
        }
        Ok(Some(entry))
    }

    /// The name of a shaded region, near its middle; left out if there is no room.
    pub(super) fn region(&mut self, region: &Region) -> Result<(), TextError> {
        let Some(text) = &region.name else { return Ok(()) };
        let f = &self.frame;
        let edge = |v: Option<f64>, low: f64, high: f64, first: bool| {
            v.unwrap_or(if first { low } else { high }).clamp(low, high)
        };
        let x = |value: f64, first: bool| edge(f.x(value), f.area.x, f.area.right(), first);
        let y = |value: f64, first: bool| edge(f.y(value, false), f.area.y, f.area.bottom(), first);
        let corner = at(x(region.x.0, true), y(region.y.0, false));
        let other = at(x(region.x.1, false), y(region.y.1, true));
        let inner = Rect::around(corner, other).grown(-0.15 * self.style.tick);
        let style = self.style.note_text(region.ink);
        let middle = inner.centre();
        let unbroken = self.setter.set(text, &style)?;
        // On one line, horizontal or upright; then wrapped.
        for (upright, broken) in [(false, false), (true, false), (false, true), (true, true)] {
            let room = if upright { inner.h } else { inner.w };
            if fitted_axis::widest_word(text, &style, self.setter)? > room {
                continue;
            }
            let label =
                if broken { self.setter.wrap(text, &style, room, Align::Centre)? } else { unbroken.clone() };
            let size = label.area();
            let (w, h) = if upright { (size.h, size.w) } else { (size.w, size.h) };
            let mut places = lattice(&inner, w, h);
            let distance = |r: &Rect| (r.centre().x - middle.x).hypot(r.centre().y - middle.y);
            places.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
            if let Some(area) = self.things.empty(places, 0.12 * self.style.tick) {
                self.write(label, area, upright);
                return Ok(());
            }
        }
        Ok(())
    }
}
