//! The plot area: maps values to positions on the page.

use super::decimate::decimate;
use super::element::{Bar, Bars, Datum, Element, Guide, Line, Spot};
use super::figure::Panel;
use super::marker::Marker;
use super::obstacles::Obstacles;
use super::scale::Scale;
use super::style::Style;
use crate::scene::{Point, Rect, at};

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) area: Rect,
    pub(super) x: Scale,
    pub(super) y: Scale,
    pub(super) right: Option<Scale>,
}

/// The position of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Position {
    Here(Point),
    /// Infinite, or not positive on a logarithmic axis: shown at this point of the panel's edge as an arrow head that points
    /// outwards.
    Beyond(Point, Marker),
    Missing,
}

impl Frame {
    fn vertical(&self, right: bool) -> &Scale {
        if right { self.right.as_ref().unwrap_or(&self.y) } else { &self.y }
    }

    /// The page coordinate along the horizontal axis.
    pub(super) fn x(&self, value: f64) -> Option<f64> {
        self.x.share(value).map(|share| self.area.x + share * self.area.w)
    }

    /// The page coordinate along a vertical axis.
    pub(super) fn y(&self, value: f64, right: bool) -> Option<f64> {
        self.vertical(right).share(value).map(|share| self.area.bottom() - share * self.area.h)
    }

    pub(super) fn position(&self, datum: &Datum, right: bool) -> Position {
        let area = self.area;
        match (self.x(datum.x), self.y(datum.y, right)) {
            (Some(x), Some(y)) => Position::Here(at(x, y)),
            (Some(x), None) if datum.y == f64::INFINITY => Position::Beyond(at(x, area.y), Marker::Up),
            // Negative infinity, too.
            (Some(x), None) if datum.y <= 0.0 => Position::Beyond(at(x, area.bottom()), Marker::Down),
            (None, Some(y)) if datum.x == f64::INFINITY => {
                Position::Beyond(at(area.right(), y), Marker::Right)
            }
            (None, Some(y)) if datum.x <= 0.0 => Position::Beyond(at(area.x, y), Marker::Left),
            _ => Position::Missing,
        }
    }

    /// Whether a point is in the panel; a range may cut values off.
    pub(super) fn holds(&self, p: Point) -> bool {
        const ROUNDING: f64 = 0.6;
        self.area.grown(ROUNDING).contains(p)
    }

    /// The ends of a line across the panel; `None` if it is outside.
    pub(super) fn guide(&self, guide: &Guide) -> Option<[Point; 2]> {
        let ends = self.across(guide)?;
        ends.into_iter().all(|end| self.holds(end)).then_some(ends)
    }

    fn across(&self, guide: &Guide) -> Option<[Point; 2]> {
        let area = self.area;
        let (low, high) = guide.ends.unwrap_or((f64::NAN, f64::NAN));
        if guide.vertical {
            let y = |value: f64, edge: f64| self.y(value, guide.right).unwrap_or(edge);
            let (y, end) = (y(high, area.y), y(low, area.bottom()));
            self.x(guide.at).map(|x| [at(x, y), at(x, end)])
        } else {
            let x = |value: f64, edge: f64| self.x(value).unwrap_or(edge);
            let (x, end) = (x(low, area.x), x(high, area.right()));
            self.y(guide.at, guide.right).map(|y| [at(x, y), at(end, y)])
        }
    }

    /// Positions and values of a line, in unbroken stretches.
    pub(super) fn stretches<'a>(&self, line: &'a Line) -> Vec<Vec<(Point, &'a Datum)>> {
        let mut stretches = vec![Vec::new()];
        for datum in &line.data {
            match self.position(datum, line.right) {
                Position::Here(p) => stretches.last_mut().expect("never empty").push((p, datum)),
                _ => stretches.push(Vec::new()),
            }
        }
        stretches.retain(|stretch| !stretch.is_empty());
        stretches
    }

    /// The box of a bar; `None` if its value is missing.
    pub(super) fn bar(&self, bars: &Bars, bar: &Bar) -> Option<Rect> {
        let half = bars.width / 2.0;
        let left = self.x(bar.x - half)?;
        let right = self.x(bar.x + half)?;
        // On a logarithmic axis a bar starts at the lower edge.
        let base = self.y(bar.base, false).unwrap_or(self.area.bottom());
        let end = self.y(bar.y, false)?;
        Some(Rect::around(at(left, base), at(right, end)))
    }

    /// Top and bottom of a bar with its error bar and points.
    pub(super) fn reach(&self, bar: &Bar) -> Option<(f64, f64)> {
        let error = bar.error.map_or([bar.y; 2], |e| [e.low, e.high]);
        let ends = [bar.y, bar.base, error[0], error[1]];
        let points = bar.points.iter().map(|(_, value)| value);
        let all = ends.iter().chain(points).filter_map(|v| self.y(*v, false));
        all.fold(None, |reach: Option<(f64, f64)>, y| {
            Some(reach.map_or((y, y), |(top, bottom)| (top.min(y), bottom.max(y))))
        })
    }

    /// Everything in the panel that text must not cover.
    pub(super) fn obstacles(&self, panel: &Panel, style: &Style) -> Obstacles {
        let mut things = Obstacles::default();
        for element in &panel.elements {
            match element {
                Element::Line(line) => self.add_line(line, style, &mut things),
                Element::Band(band) => {
                    let box_of = |w: &[(f64, f64, f64)]| {
                        let bottom = self.y(w[0].1.min(w[1].1), false)?;
                        let top = self.y(w[0].2.max(w[1].2), false)?;
                        Some(Rect::around(at(self.x(w[0].0)?, bottom), at(self.x(w[1].0)?, top)))
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
                Element::Strip(strip) => {
                    self.cells(strip).into_iter().for_each(|(area, _)| things.block(area));
                }
                Element::Spot(spot) => self.add_spot(spot, style, &mut things),
                Element::Guide(guide) => {
                    if let Some([start, end]) = self.guide(guide) {
                        things.guide(start, end);
                    }
                }
                Element::Region(_) | Element::Remark(_) | Element::Key(_) => {}
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
            if let Position::Beyond(edge, _) = self.position(datum, line.right) {
                things.spot(edge, 2.0 * style.marker);
            }
        }
    }

    fn add_spot(&self, spot: &Spot, style: &Style, things: &mut Obstacles) {
        match self.position(&spot.at, false) {
            Position::Here(p) => things.spot(p, Marker::reach(spot.size * style.spot)),
            Position::Beyond(edge, _) => things.spot(edge, 2.0 * style.marker),
            Position::Missing => {}
        }
        for (a, b) in self.whiskers(spot) {
            things.line(&[a, b]);
        }
    }

    /// The error bars of a single value.
    pub(super) fn whiskers(&self, spot: &Spot) -> Vec<(Point, Point)> {
        let Position::Here(p) = self.position(&spot.at, false) else { return Vec::new() };
        let (x, y) = (
            |x: f64| x.clamp(self.area.x, self.area.right()),
            |y: f64| y.clamp(self.area.y, self.area.bottom()),
        );
        let mut found = Vec::new();
        if let Some(e) = spot.error.0
            && let (Some(a), Some(b)) = (self.x(e.low), self.x(e.high))
        {
            found.push((at(x(a), p.y), at(x(b), p.y)));
        }
        if let Some(e) = spot.error.1
            && let (Some(a), Some(b)) = (self.y(e.low, false), self.y(e.high, false))
        {
            found.push((at(p.x, y(a)), at(p.x, y(b))));
        }
        found
    }
}
