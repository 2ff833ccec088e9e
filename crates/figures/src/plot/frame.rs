//! The area between the axes: from pairs of values to places on the page.

use super::decimate::decimate;
use super::element::{Bar, Bars, Datum, Element, Line, Spot};
use super::figure::Panel;
use super::marker::Marker;
use super::obstacles::Obstacles;
use super::scale::Scale;
use super::style::Style;
use crate::scene::{Point, Rect, at};

/// Axes with ends, and the box between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) area: Rect,
    pub(super) x: Scale,
    pub(super) y: Scale,
    pub(super) right: Option<Scale>,
}

/// Where a value lies, if it lies anywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    /// There.
    Here(Point),
    /// Beyond every end: infinite, or not positive on a logarithmic axis. Shown at the edge of the panel.
    Above(f64),
    /// The same, below.
    Below(f64),
    /// Nowhere.
    Missing,
}

impl Frame {
    fn vertical(&self, right: bool) -> &Scale {
        if right { self.right.as_ref().unwrap_or(&self.y) } else { &self.y }
    }

    /// The place along the horizontal axis.
    pub(super) fn x(&self, value: f64) -> Option<f64> {
        self.x.share(value).map(|share| self.area.x + share * self.area.w)
    }

    /// The place along a vertical axis.
    pub(super) fn y(&self, value: f64, right: bool) -> Option<f64> {
        self.vertical(right).share(value).map(|share| self.area.bottom() - share * self.area.h)
    }

    /// The place of a value.
    pub(super) fn place(&self, datum: &Datum, right: bool) -> Place {
        let Some(x) = self.x(datum.x) else { return Place::Missing };
        match self.y(datum.y, right) {
            Some(y) => Place::Here(at(x, y)),
            None if datum.y == f64::INFINITY => Place::Above(x),
            None if datum.y == f64::NEG_INFINITY || datum.y <= 0.0 => Place::Below(x),
            None => Place::Missing,
        }
    }

    /// Places of a line's values, each with its value, in unbroken stretches.
    pub(super) fn stretches<'a>(&self, line: &'a Line) -> Vec<Vec<(Point, &'a Datum)>> {
        let mut stretches = vec![Vec::new()];
        for datum in &line.data {
            match self.place(datum, line.right) {
                Place::Here(p) => stretches.last_mut().expect("never empty").push((p, datum)),
                _ => stretches.push(Vec::new()),
            }
        }
        stretches.retain(|stretch| !stretch.is_empty());
        stretches
    }

    /// The box of a bar; none where it has no height to show.
    pub(super) fn bar(&self, bars: &Bars, bar: &Bar) -> Option<Rect> {
        let half = bars.width / 2.0;
        let (left, right) = (self.x(bar.x - half)?, self.x(bar.x + half)?);
        // On a logarithmic axis a bar starts at the foot of the panel.
        let base = self.y(bar.base, false).unwrap_or(self.area.bottom());
        let end = self.y(bar.y, false)?;
        Some(Rect::around(at(left, base), at(right, end)))
    }

    /// The ends of a bar's error bar and of the values behind it, as the highest and lowest place.
    pub(super) fn reach(&self, bar: &Bar) -> Option<(f64, f64)> {
        let error = bar.error.unwrap_or(0.0);
        let ends = [bar.y, bar.base, bar.y + error, bar.y - error];
        let points = bar.points.iter().map(|(_, value)| value);
        let all = ends.iter().chain(points).filter_map(|v| self.y(*v, false));
        all.fold(None, |reach: Option<(f64, f64)>, y| {
            Some(reach.map_or((y, y), |(top, bottom)| (top.min(y), bottom.max(y))))
        })
    }

    /// Everything in the panel that words must not cover.
    pub(super) fn obstacles(&self, panel: &Panel, style: &Style) -> Obstacles {
        let mut things = Obstacles::default();
        for element in &panel.elements {
            match element {
                Element::Line(line) => self.add_line(line, style, &mut things),
                Element::Band(band) => {
                    let box_of = |w: &[(f64, f64, f64)]| {
                        let (low, high) = (w[0].1.min(w[1].1), w[0].2.max(w[1].2));
                        let (a, b) = (self.x(w[0].0)?, self.x(w[1].0)?);
                        Some(Rect::around(at(a, self.y(low, false)?), at(b, self.y(high, false)?)))
                    };
                    band.data.windows(2).filter_map(box_of).for_each(|area| things.block(area));
                }
                Element::Bars(bars) => {
                    for bar in &bars.bars {
                        if let (Some(area), Some((top, bottom))) = (self.bar(bars, bar), self.reach(bar)) {
                            things.block(Rect::new(area.x, top, area.w, bottom - top));
                        }
                    }
                }
                Element::Spot(spot) => self.add_spot(spot, style, &mut things),
                Element::Guide(guide) => {
                    if guide.upright {
                        if let Some(x) = self.x(guide.at) {
                            things.guide(at(x, self.area.y), at(x, self.area.bottom()));
                        }
                    } else if let Some(y) = self.y(guide.at, guide.right) {
                        things.guide(at(self.area.x, y), at(self.area.right(), y));
                    }
                }
                Element::Region(_) | Element::Note(_) | Element::Key(_) => {}
            }
        }
        things
    }

    fn add_line(&self, line: &Line, style: &Style, things: &mut Obstacles) {
        for stretch in self.stretches(line) {
            let points: Vec<Point> = stretch.iter().map(|s| s.0).collect();
            let thin = decimate(&points);
            things.line(&thin);
            let reach = if line.marked { Marker::reach(style.marker) } else { style.line };
            thin.iter().for_each(|p| things.spot(*p, reach));
        }
        for datum in &line.data {
            let y = match self.place(datum, line.right) {
                Place::Above(x) => at(x, self.area.y),
                Place::Below(x) => at(x, self.area.bottom()),
                _ => continue,
            };
            things.spot(y, 2.0 * style.marker);
        }
    }

    fn add_spot(&self, spot: &Spot, style: &Style, things: &mut Obstacles) {
        if let Place::Here(p) = self.place(&spot.at, false) {
            things.spot(p, Marker::reach(spot.size * style.spot));
        }
        for (a, b) in self.whiskers(spot) {
            things.line(&[a, b]);
        }
    }

    /// The error bars of a lone value.
    pub(super) fn whiskers(&self, spot: &Spot) -> Vec<(Point, Point)> {
        let Place::Here(p) = self.place(&spot.at, false) else { return Vec::new() };
        let Datum { x, y, .. } = spot.at;
        let mut found = Vec::new();
        if let Some(e) = spot.error.0
            && let (Some(a), Some(b)) = (self.x(x - e), self.x(x + e))
        {
            found.push((at(a, p.y), at(b, p.y)));
        }
        if let Some(e) = spot.error.1
            && let (Some(a), Some(b)) = (self.y(y - e, false), self.y(y + e, false))
        {
            found.push((at(p.x, a), at(p.x, b)));
        }
        found
    }
}
