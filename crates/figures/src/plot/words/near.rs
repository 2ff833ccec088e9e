//! Text near the value that it belongs to.

use super::place::Writer;
use crate::plot::element::Spot;
use crate::plot::frame::Position;
use crate::plot::legend::{LegendEntry, Sample};
use crate::plot::marker::Marker;
use crate::scene::{Point, Rect, at};
use crate::text::TextError;

impl Writer<'_> {
    /// A name next to its value, or further off with a thin line; a legend entry if there is no room at all.
    pub(super) fn spot(&mut self, spot: &Spot) -> Result<Option<LegendEntry>, TextError> {
        let (Some(text), Position::Here(p)) = (&spot.label, self.frame.position(&spot.at, false)) else {
            return Ok(None);
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
            ahead.map(|q| (q.x - p.x).hypot(q.y - p.y) + 0.3 * self.style.tick).fold(0.0, f64::max)
        };
        for (ring, distance) in [0.3, 1.2, 2.4, 3.8].into_iter().enumerate() {
            let off = reach + distance * self.style.tick;
            let leader = |area: &Rect| {
                let end = nearest(&area.grown(0.06 * self.style.tick), p);
                (short_of(p, end, reach.max(bar_length(end))), end)
            };
            // A line that crosses another value would seem to belong to it.
            let clear = |area: &Rect| {
                let (start, end) = leader(area);
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
                return Ok(None);
            }
        }
        let sample = Sample::Spot { look: spot.look, firm: spot.at.firm };
        Ok(Some(LegendEntry { sample, name: text.clone() }))
    }
}

/// Boxes around a point at a distance: right, above, left, below, then diagonally.
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
