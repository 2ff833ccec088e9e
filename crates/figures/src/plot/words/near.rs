//! Text near the value that it belongs to.

use super::place::Writer;
use crate::plot::element::{Element, Spot};
use crate::plot::figure::Panel;
use crate::plot::frame::Position;
use crate::plot::legend::{LegendEntry, Sample};
use crate::plot::marker::Marker;
use crate::scene::{Point, Rect, at};
use crate::text::TextError;

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
        if !self.frame.holds(p) {
            return Ok(true);
        }
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
