//! Points, boxes and affine maps in units of 1/72 inch, with y pointing down.
#![expect(missing_docs, reason = "the other names say it")]

/// A point on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// The [`Point`] (x, y).
pub const fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}

/// An axis-aligned box with its upper left corner at (x, y).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Rect {
    pub const fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }

    /// The smallest box around two points.
    pub fn around(a: Point, b: Point) -> Self {
        Self::new(a.x.min(b.x), a.y.min(b.y), (a.x - b.x).abs(), (a.y - b.y).abs())
    }

    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    pub fn centre(&self) -> Point {
        at(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// The box enlarged by `margin` on every side.
    pub fn grown(&self, margin: f64) -> Self {
        Self::new(self.x - margin, self.y - margin, self.w + 2.0 * margin, self.h + 2.0 * margin)
    }

    /// Whether the point is inside or on the edge.
    pub fn contains(&self, p: Point) -> bool {
        p.x >= self.x && p.x <= self.right() && p.y >= self.y && p.y <= self.bottom()
    }

    /// Whether the other box is inside.
    pub fn encloses(&self, other: &Self) -> bool {
        self.contains(at(other.x, other.y)) && self.contains(at(other.right(), other.bottom()))
    }

    /// The smallest box around both.
    pub(crate) fn around_both(&self, other: &Self) -> Self {
        Self::around(
            at(self.x.min(other.x), self.y.min(other.y)),
            at(self.right().max(other.right()), self.bottom().max(other.bottom())),
        )
    }

    /// The intersection, if it has an area.
    pub(crate) fn common(&self, other: &Self) -> Option<Self> {
        let low = at(self.x.max(other.x), self.y.max(other.y));
        let high = at(self.right().min(other.right()), self.bottom().min(other.bottom()));
        (low.x < high.x && low.y < high.y).then(|| Self::around(low, high))
    }

    /// Whether a straight line between two points touches the box.
    pub fn is_crossed(&self, a: Point, b: Point) -> bool {
        // The part of the line inside each of the four edges, as an interval of its length (Liang and Barsky).
        let mut from = 0.0_f64;
        let mut to = 1.0_f64;
        let edges = [
            (a.x - b.x, a.x - self.x),
            (b.x - a.x, self.right() - a.x),
            (a.y - b.y, a.y - self.y),
            (b.y - a.y, self.bottom() - a.y),
        ];
        for (speed, room) in edges {
            if speed == 0.0 {
                if room < 0.0 {
                    return false;
                }
            } else if speed < 0.0 {
                from = from.max(room / speed);
            } else {
                to = to.min(room / speed);
            }
        }
        from <= to
    }
}

/// An affine map (a b c d e f): x' = a·x + c·y + e, y' = b·x + d·y + f.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine(pub [f64; 6]);

impl Affine {
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Translation by (x, y).
    pub const fn shift(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    pub const fn scale(k: f64) -> Self {
        Self([k, 0.0, 0.0, k, 0.0, 0.0])
    }

    /// Rotation, anticlockwise on the page; exact for quarter turns.
    pub(crate) fn turn(degrees: f64) -> Self {
        let (sin, cos) = match degrees {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            -90.0 => (-1.0, 0.0),
            _ => degrees.to_radians().sin_cos(),
        };
        Self([cos, -sin, sin, cos, 0.0, 0.0])
    }

    /// This map after `first`.
    pub fn after(&self, first: &Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let g = first.0;
        Self([
            a * g[0] + c * g[1],
            b * g[0] + d * g[1],
            a * g[2] + c * g[3],
            b * g[2] + d * g[3],
            a * g[4] + c * g[5] + e,
            b * g[4] + d * g[5] + f,
        ])
    }

    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c, d, e, f] = self.0;
        let det = a * d - b * c;
        (det.is_normal()).then(|| {
            let [a, b, c, d] = [d / det, -b / det, -c / det, a / det];
            Self([a, b, c, d, -(a * e + c * f), -(b * e + d * f)])
        })
    }

    pub fn apply(&self, p: Point) -> Point {
        let [a, b, c, d, e, f] = self.0;
        at(a * p.x + c * p.y + e, b * p.x + d * p.y + f)
    }

    /// The bounding box of a mapped box.
    pub fn cover(&self, area: &Rect) -> Rect {
        let corners = [
            at(area.x, area.y),
            at(area.right(), area.y),
            at(area.x, area.bottom()),
            at(area.right(), area.bottom()),
        ]
        .map(|corner| self.apply(corner));
        let low = corners.iter().fold(corners[0], |m, p| at(m.x.min(p.x), m.y.min(p.y)));
        let high = corners.iter().fold(corners[0], |m, p| at(m.x.max(p.x), m.y.max(p.y)));
        Rect::around(low, high)
    }
}
