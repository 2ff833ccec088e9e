//! Text near the value that it belongs to.

use super::place::Writer;
use crate::plot::element::{Callout, Element, Spot};
use crate::plot::figure::Panel;
use crate::plot::frame::Position;
use crate::plot::legend::{LegendEntry, Sample};
use crate::plot::marker::Marker;
use crate::plot::obstacles::lattice;
use crate::plot::style::MUTED;
use crate::scene::{Point, Rect, at};
use crate::text::{Align, TextError};

/// Where markers end, as a share of how far the widest extends.
const EDGE: f64 = 0.85;

impl Writer<'_> {
    /// Names next to their values; if one of them has no room, none is written, and all are entries of the legend.
    pub(super) fn spots(&mut self, panel: &Panel) -> Result<Vec<LegendEntry>, TextError> {
        let (things, out) = (self.things.clone(), self.out.clone());
        let spots = || {
            panel.elements.iter().filter_map(|e| if let Element::Spot(spot) = e { Some(spot) } else { None })
        };
        for spot in spots() {
            if !self.spot(spot)? {
                (self.things, self.out) = (things, out);
                let entry = |spot: &Spot| {
                    let sample = Sample::Spot { look: spot.look, firm: spot.at.firm };
                    spot.label.as_ref().map(|name| LegendEntry { sample, name: name.clone() })
                };
                return Ok(spots().filter_map(entry).collect());
            }
        }
        Ok(Vec::new())
    }

    /// A name next to its value, or further off with a thin line; `false` if there is no room at all.
    fn spot(&mut self, spot: &Spot) -> Result<bool, TextError> {
        let (Some(text), Position::Here(p)) = (&spot.label, self.frame.position(&spot.at, false)) else {
            return Ok(true);
        };
        let label = self.setter.set(text, &self.style.name_text(spot.look.colour))?;
        let size = label.area();
        let reach = Marker::reach(spot.size * self.style.spot);
        let inner = self.frame.area.grown(-0.25 * self.style.tick);
        // How far an error bar extends in the direction of `end`, with a gap.
        let whiskers = self.frame.whiskers(spot);
        let bar_length = |end: Point| {
            let ends = whiskers.iter().flat_map(|(a, b)| [*a, *b]);
            let ahead = ends.filter(|q| (q.x - p.x) * (end.y - p.y) == (q.y - p.y) * (end.x - p.x));
            let ahead = ahead.filter(|q| (q.x - p.x) * (end.x - p.x) + (q.y - p.y) * (end.y - p.y) > 0.0);
            ahead.map(|q| (q.x - p.x).hypot(q.y - p.y)).fold(0.0, f64::max)
        };
        for (ring, distance) in [0.3, 1.2, 2.4, 3.8, 5.4].into_iter().enumerate() {
            let off = reach + distance * self.style.tick;
            // From the marker, or the end of its error bar, to the name.
            let leader = |area: &Rect| {
                let end = nearest(&area.grown(0.06 * self.style.tick), p);
                (short_of(p, end, (EDGE * reach).max(bar_length(end))), end)
            };
            // A line that crosses another value would seem to belong to it; its own marker is no obstacle.
            let clear = |area: &Rect| {
                let (start, end) = leader(area);
                let start = short_of(p, end, (1.5 * reach).max((start.x - p.x).hypot(start.y - p.y)));
                inner.encloses(area) && (ring == 0 || !self.things.meets(start, end))
            };
            let places = around(p, size.w, size.h, off).into_iter().filter(clear);
            if let Some(area) = self.things.empty(places, 0.15 * self.style.tick) {
                if ring > 0 {
                    let (start, end) = leader(&area);
                    self.things.line(&[start, end]);
                    self.out.leaders.push((start, end));
                }
                self.write(label, area, false);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A remark near its target, with an arrow.
    pub(super) fn callout(&mut self, callout: &Callout) -> Result<(), TextError> {
        let (x, y) = callout.target;
        let (Some(x), Some(y)) = (self.frame.x(x), self.frame.y(y, false)) else { return Ok(()) };
        let p = at(x, y);
        let wide = 0.62 * self.frame.area.w;
        let style = self.style.note_text(MUTED);
        let inner = self.frame.area.grown(-0.5 * self.style.tick);
        for width in [wide, 0.7 * wide, 0.45 * wide] {
            let label = self.setter.wrap(&callout.text, &style, width, Align::Centre)?;
            let size = label.area();
            let mut places = lattice(&inner, size.w, size.h);
            let distance = |r: &Rect| {
                let near = nearest(r, p);
                (near.x - p.x).hypot(near.y - p.y)
            };
            // As near as possible, but far enough for an arrow.
            places.retain(|r| distance(r) > 1.3 * self.style.tick);
            places.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
            let clear = |r: &Rect| {
                let end = nearest(&r.grown(0.25 * self.style.tick), p);
                let tip = short_of(p, end, 0.55 * self.style.tick);
                let corridor = Rect::around(end, tip);
                self.things.hits(&r.grown(0.3 * self.style.tick)) == 0
                    && self.things.crossings(r) == 0
                    && self.things.hits(&corridor.grown(0.1)) == 0
            };
            if let Some(area) = places.iter().copied().find(clear) {
                let end = nearest(&area.grown(0.25 * self.style.tick), p);
                let tip = short_of(p, end, 0.55 * self.style.tick);
                self.things.line(&[end, tip]);
                self.out.arrows.push((end, tip));
                self.write(label, area, false);
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Boxes around a point at a distance: right, above, left, below, then diagonally, then above and below but aside.
fn around(p: Point, w: f64, h: f64, off: f64) -> Vec<Rect> {
    let slant = 0.75 * off;
    let mid_x = p.x - w / 2.0;
    let mid_y = p.y - h / 2.0;
    [
        (p.x + off, mid_y),
        (mid_x, p.y - off - h),
        (p.x - off - w, mid_y),
        (mid_x, p.y + off),
        (p.x + slant, p.y - slant - h),
        (p.x + slant, p.y + slant),
        (p.x - slant - w, p.y - slant - h),
        (p.x - slant - w, p.y + slant),
        (p.x - 0.2 * w, p.y - off - h),
        (p.x - 0.8 * w, p.y - off - h),
        (p.x - 0.2 * w, p.y + off),
        (p.x - 0.8 * w, p.y + off),
    ]
    .map(|(x, y)| Rect::new(x, y, w, h))
    .to_vec()
}

/// The point of a box that is nearest to `p`.
fn nearest(area: &Rect, p: Point) -> Point {
    at(p.x.clamp(area.x, area.right()), p.y.clamp(area.y, area.bottom()))
}

/// The point on the segment from `from` to `p` that is `distance` before `p`.
fn short_of(p: Point, from: Point, distance: f64) -> Point {
    let length = (from.x - p.x).hypot(from.y - p.y).max(1e-9);
    let k = (distance / length).min(1.0);
    at(p.x + k * (from.x - p.x), p.y + k * (from.y - p.y))
}
