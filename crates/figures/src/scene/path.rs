//! Outlines, and the pens and inks they are drawn with.

use super::geometry::{Affine, Point, Rect, at};

/// A piece of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// Lift the pen and go there.
    Move(Point),
    /// A straight line.
    Line(Point),
    /// A quadratic curve: control, end.
    Quad(Point, Point),
    /// A cubic curve: two controls, end.
    Cubic(Point, Point, Point),
    /// Back to where the pen came down.
    Close,
}

/// An outline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path(pub Vec<Segment>);

impl Path {
    /// Straight lines through the points.
    pub fn through(points: &[Point]) -> Self {
        let segment = |(i, &p): (usize, &Point)| if i == 0 { Segment::Move(p) } else { Segment::Line(p) };
        Self(points.iter().enumerate().map(segment).collect())
    }

    /// The closed outline through the points.
    pub fn around(points: &[Point]) -> Self {
        let mut path = Self::through(points);
        path.0.push(Segment::Close);
        path
    }

    /// A box.
    pub fn rect(r: &Rect) -> Self {
        Self::around(&[at(r.x, r.y), at(r.right(), r.y), at(r.right(), r.bottom()), at(r.x, r.bottom())])
    }

    /// A box with round corners.
    pub fn rounded(r: &Rect, radius: f64) -> Self {
        let radius = radius.min(r.w / 2.0).min(r.h / 2.0);
        let (x0, x1, y0, y1) = (r.x, r.right(), r.y, r.bottom());
        let k = radius * (1.0 - CIRCLE);
        let corner = |c1: Point, c2: Point, end: Point| Segment::Cubic(c1, c2, end);
        Self(vec![
            Segment::Move(at(x0 + radius, y0)),
            Segment::Line(at(x1 - radius, y0)),
            corner(at(x1 - k, y0), at(x1, y0 + k), at(x1, y0 + radius)),
            Segment::Line(at(x1, y1 - radius)),
            corner(at(x1, y1 - k), at(x1 - k, y1), at(x1 - radius, y1)),
            Segment::Line(at(x0 + radius, y1)),
            corner(at(x0 + k, y1), at(x0, y1 - k), at(x0, y1 - radius)),
            Segment::Line(at(x0, y0 + radius)),
            corner(at(x0, y0 + k), at(x0 + k, y0), at(x0 + radius, y0)),
            Segment::Close,
        ])
    }

    /// A circle.
    pub fn circle(centre: Point, radius: f64) -> Self {
        Self::rounded(&Rect::new(centre.x - radius, centre.y - radius, 2.0 * radius, 2.0 * radius), radius)
    }

    /// The outline moved by a map.
    pub fn mapped(&self, map: &Affine) -> Self {
        let go = |p: Point| map.apply(p);
        let segment = |s: &Segment| match *s {
            Segment::Move(p) => Segment::Move(go(p)),
            Segment::Line(p) => Segment::Line(go(p)),
            Segment::Quad(c, p) => Segment::Quad(go(c), go(p)),
            Segment::Cubic(c, d, p) => Segment::Cubic(go(c), go(d), go(p)),
            Segment::Close => Segment::Close,
        };
        Self(self.0.iter().map(segment).collect())
    }
}

impl Path {
    /// All its places and controls.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        let of = |segment: &Segment| match *segment {
            Segment::Move(p) | Segment::Line(p) => [Some(p), None, None],
            Segment::Quad(c, p) => [Some(c), Some(p), None],
            Segment::Cubic(c, d, p) => [Some(c), Some(d), Some(p)],
            Segment::Close => [None; 3],
        };
        self.0.iter().flat_map(of).flatten()
    }

    /// The smallest box around all its places and controls; nothing if it has none.
    pub fn cover(&self) -> Option<Rect> {
        let first = self.points().next()?;
        let (low, high) = self.points().fold((first, first), |(low, high), p| {
            (at(low.x.min(p.x), low.y.min(p.y)), at(high.x.max(p.x), high.y.max(p.y)))
        });
        Some(Rect::around(low, high))
    }
}

/// How far the controls of a quarter circle stand out, for a radius of 1.
const CIRCLE: f64 = 0.552_284_749_8;

/// An ink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// How much it covers; 255 covers all.
    pub a: u8,
}

impl Colour {
    /// An ink from its number, such as `0x2166ac`.
    pub const fn hex(rgb: u32) -> Self {
        Self { r: (rgb >> 16) as u8, g: (rgb >> 8) as u8, b: rgb as u8, a: 255 }
    }

    /// The same ink, covering less: 1 covers all.
    pub const fn faint(self, opacity: f64) -> Self {
        Self { a: (opacity * 255.0) as u8, ..self }
    }

    /// The same ink mixed with white; 0 leaves it as it is.
    pub fn tinted(self, white: f64) -> Self {
        let mix = |c: u8| (f64::from(c) + (255.0 - f64::from(c)) * white).round() as u8;
        Self { r: mix(self.r), g: mix(self.g), b: mix(self.b), a: self.a }
    }

    /// As `#rrggbb`; how much it covers is left out.
    pub fn css(&self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

/// A pen. Corners are round.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Ink.
    pub colour: Colour,
    /// Width.
    pub width: f64,
    /// Lengths of dashes and gaps in turn; empty for an unbroken line.
    pub dash: Vec<f64>,
    /// Whether the ends are round rather than cut off.
    pub round: bool,
}

impl Stroke {
    /// An unbroken line.
    pub fn solid(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: Vec::new(), round: false }
    }
}
