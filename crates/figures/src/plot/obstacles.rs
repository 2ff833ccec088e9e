//! What text and legends inside a panel must not cover.

use crate::scene::{Point, Rect};

/// Things in a panel, by their positions on the page.
#[derive(Clone, Debug, Default)]
pub(super) struct Obstacles {
    boxes: Vec<Rect>,
    lines: Vec<(Point, Point)>,
    guides: Vec<(Point, Point)>,
}

impl Obstacles {
    /// Adds a covered box.
    pub(super) fn block(&mut self, area: Rect) {
        self.boxes.push(area);
    }

    /// Adds a marker around a point.
    pub(super) fn spot(&mut self, p: Point, reach: f64) {
        self.block(Rect::new(p.x - reach, p.y - reach, 2.0 * reach, 2.0 * reach));
    }

    /// Adds straight lines through points.
    pub(super) fn line(&mut self, points: &[Point]) {
        self.lines.extend(points.windows(2).map(|w| (w[0], w[1])));
    }

    /// Adds a line that text may cover if there is no other place.
    pub(super) fn guide(&mut self, a: Point, b: Point) {
        self.guides.push((a, b));
    }

    /// How many data marks a box would cover.
    pub(super) fn hits(&self, area: &Rect) -> usize {
        self.boxes.iter().filter(|b| touches(b, area)).count()
            + self.lines.iter().filter(|(a, b)| area.is_crossed(*a, *b)).count()
    }

    /// Whether a straight line crosses data or text.
    pub(super) fn meets(&self, a: Point, b: Point) -> bool {
        self.boxes.iter().any(|area| area.is_crossed(a, b))
            || self.lines.iter().any(|(c, d)| crosses(a, b, *c, *d))
    }

    /// How many reference lines a box would cover.
    pub(super) fn crossings(&self, area: &Rect) -> usize {
        self.guides.iter().filter(|(a, b)| area.is_crossed(*a, *b)).count()
    }

    /// Where horizontal reference lines cross a box.
    pub(super) fn levels(&self, area: &Rect) -> Vec<f64> {
        let level = |(a, b): &(Point, Point)| (a.y == b.y && area.is_crossed(*a, *b)).then_some(a.y);
        self.guides.iter().filter_map(level).collect()
    }

    /// The first place that covers neither data nor a reference line, else the first that covers no data.
    pub(super) fn free(&self, places: impl IntoIterator<Item = Rect>, margin: f64) -> Option<Rect> {
        let clear: Vec<Rect> = places.into_iter().filter(|p| self.hits(&p.grown(margin)) == 0).collect();
        clear.iter().find(|p| self.crossings(p) == 0).or(clear.first()).copied()
    }

    /// The first place that covers nothing at all.
    pub(super) fn empty(&self, places: impl IntoIterator<Item = Rect>, margin: f64) -> Option<Rect> {
        places.into_iter().find(|p| {
            let wide = p.grown(margin);
            self.hits(&wide) == 0 && self.crossings(&wide) == 0
        })
    }
}

/// Whether two segments share a point; collinear overlap counts.
fn crosses(a: Point, b: Point, c: Point, d: Point) -> bool {
    let side = |p: Point, q: Point, r: Point| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    let apart = |s: f64, t: f64| s * t > 0.0;
    let boxes = touches(&Rect::around(a, b), &Rect::around(c, d));
    boxes && !apart(side(a, b, c), side(a, b, d)) && !apart(side(c, d, a), side(c, d, b))
}

/// Whether two boxes share a point, edges included.
fn touches(a: &Rect, b: &Rect) -> bool {
    a.x <= b.right() && b.x <= a.right() && a.y <= b.bottom() && b.y <= a.bottom()
}

/// Boxes of this size inside `area`, corners first, then further from them. They are on a lattice, so that the choice does
/// not depend on rounding.
pub(super) fn lattice(area: &Rect, w: f64, h: f64) -> Vec<Rect> {
    const STEPS: usize = 16;
    let room_x = area.w - w;
    let room_y = area.h - h;
    if room_x < 0.0 || room_y < 0.0 {
        return Vec::new();
    }
    let mut cells: Vec<(usize, usize)> = (0..=STEPS).flat_map(|i| (0..=STEPS).map(move |j| (i, j))).collect();
    let distance = |k: usize| k.min(STEPS - k);
    // Among equals, upper right first.
    cells.sort_by_key(|&(i, j)| {
        (distance(i).pow(2) + distance(j).pow(2), distance(i) + distance(j), j, STEPS - i)
    });
    let offset = |k: usize, room: f64| room * k as f64 / STEPS as f64;
    let place = |&(i, j)| Rect::new(area.x + offset(i, room_x), area.y + offset(j, room_y), w, h);
    cells.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::at;

    #[test]
    fn corners_come_first_and_everything_is_inside() {
        let area = Rect::new(10.0, 20.0, 100.0, 50.0);
        let places = lattice(&area, 30.0, 10.0);
        assert_eq!(places[0], Rect::new(80.0, 20.0, 30.0, 10.0));
        assert!(places[..4].iter().all(|p| (p.x == 10.0 || p.x == 80.0) && (p.y == 20.0 || p.y == 60.0)));
        assert!(places.iter().all(|p| area.grown(1e-9).encloses(p)));
        assert!(lattice(&area, 130.0, 10.0).is_empty());
    }

    #[test]
    fn a_line_meets_what_it_runs_into() {
        let mut things = Obstacles::default();
        things.spot(at(50.0, 50.0), 5.0);
        things.line(&[at(0.0, 80.0), at(100.0, 80.0)]);
        things.line(&[at(0.0, 0.0), at(40.0, 40.0)]);
        assert!(things.meets(at(0.0, 50.0), at(100.0, 52.0)), "the marker");
        assert!(things.meets(at(30.0, 10.0), at(10.0, 30.0)), "across the slanting one");
        assert!(!things.meets(at(25.0, 5.0), at(35.0, 15.0)), "next to the slanted one");
        assert!(things.meets(at(20.0, 70.0), at(30.0, 90.0)), "across the line");
        assert!(things.meets(at(20.0, 80.0), at(30.0, 80.0)), "along the line");
        assert!(!things.meets(at(50.0, 10.0), at(100.0, 30.0)));
        assert!(!things.meets(at(0.0, 60.0), at(100.0, 79.0)));
    }

    #[test]
    fn a_place_is_free_when_neither_point_nor_line_nor_box_is_in_it() {
        let area = Rect::new(0.0, 0.0, 100.0, 100.0);
        let mut things = Obstacles::default();
        things.line(&[at(0.0, 0.0), at(100.0, 0.0), at(100.0, 100.0)]);
        things.spot(at(3.0, 97.0), 1.0);
        let found = things.free(lattice(&area, 20.0, 20.0), 2.0).unwrap();
        assert!(found.y > 2.0 && found.right() < 98.0 && !found.contains(at(3.0, 97.0)), "{found:?}");
        things.block(area);
        assert_eq!(things.free(lattice(&area, 20.0, 20.0), 2.0), None);
    }
}
