//! Outlines, colours and strokes.
#![expect(missing_docs, reason = "the other names say it")]

use super::geometry::{Affine, Point, Rect, at};

/// A piece of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    Move(Point),
    Line(Point),
    /// A quadratic curve: control, end.
    Quad(Point, Point),
    /// A cubic curve: two controls, end.
    Cubic(Point, Point, Point),
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

    pub fn rect(r: &Rect) -> Self {
        Self::around(&[at(r.x, r.y), at(r.right(), r.y), at(r.right(), r.bottom()), at(r.x, r.bottom())])
    }

    /// A box with round corners.
    pub(crate) fn rounded(r: &Rect, radius: f64) -> Self {
        let radius = radius.min(r.w / 2.0).min(r.h / 2.0);
        let left = r.x;
        let right = r.right();
        let top = r.y;
        let bottom = r.bottom();
        let k = radius * (1.0 - CIRCLE);
        Self(vec![
            Segment::Move(at(left + radius, top)),
            Segment::Line(at(right - radius, top)),
            Segment::Cubic(at(right - k, top), at(right, top + k), at(right, top + radius)),
            Segment::Line(at(right, bottom - radius)),
            Segment::Cubic(at(right, bottom - k), at(right - k, bottom), at(right - radius, bottom)),
            Segment::Line(at(left + radius, bottom)),
            Segment::Cubic(at(left + k, bottom), at(left, bottom - k), at(left, bottom - radius)),
            Segment::Line(at(left, top + radius)),
            Segment::Cubic(at(left, top + k), at(left + k, top), at(left + radius, top)),
            Segment::Close,
        ])
    }

    pub fn circle(centre: Point, radius: f64) -> Self {
        Self::rounded(&Rect::new(centre.x - radius, centre.y - radius, 2.0 * radius, 2.0 * radius), radius)
    }

    pub(crate) fn mapped(&self, map: &Affine) -> Self {
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

    /// All end and control points.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> {
        let of_segment = |segment: &Segment| match *segment {
            Segment::Move(p) | Segment::Line(p) => [Some(p), None, None],
            Segment::Quad(c, p) => [Some(c), Some(p), None],
            Segment::Cubic(c, d, p) => [Some(c), Some(d), Some(p)],
            Segment::Close => [None; 3],
        };
        self.0.iter().flat_map(of_segment).flatten()
    }

    /// The bounding box of all end and control points.
    pub(crate) fn cover(&self) -> Option<Rect> {
        let first = self.points().next()?;
        let (low, high) = self.points().fold((first, first), |(low, high), p| {
            (at(low.x.min(p.x), low.y.min(p.y)), at(high.x.max(p.x), high.y.max(p.y)))
        });
        Some(Rect::around(low, high))
    }
}

/// Distance of the control points of a quarter circle from its ends, for a radius of 1.
const CIRCLE: f64 = 0.552_284_749_8;

/// An RGB colour with opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    /// Opacity; 255 is opaque.
    pub a: u8,
}

impl Colour {
    /// An opaque colour, such as `0x2166ac`.
    pub const fn hex(rgb: u32) -> Self {
        Self { r: (rgb >> 16) as u8, g: (rgb >> 8) as u8, b: rgb as u8, a: 255 }
    }

    /// The colour with this opacity, from 0 to 1.
    pub const fn faint(self, opacity: f64) -> Self {
        Self { a: (opacity * 255.0) as u8, ..self }
    }

    /// The colour mixed with this share of white.
    pub fn tinted(self, white: f64) -> Self {
        self.towards(Self { a: self.a, ..Self::hex(0xffffff) }, white)
    }

    /// The colour on the way to another one: 0 is this, 1 is that.
    pub(crate) fn towards(self, that: Self, share: f64) -> Self {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        Self {
            r: mix(self.r, that.r),
            g: mix(self.g, that.g),
            b: mix(self.b, that.b),
            a: mix(self.a, that.a),
        }
    }

    /// The grey of about the same lightness.
    pub(crate) fn grey(self) -> Self {
        let light = 0.2126 * f64::from(self.r) + 0.7152 * f64::from(self.g) + 0.0722 * f64::from(self.b);
        let level = light.round() as u8;
        Self { r: level, g: level, b: level, a: self.a }
    }

    /// As `#rrggbb`, without opacity.
    pub fn css(&self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

/// How an outline is stroked. Joins are round.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    pub colour: Colour,
    pub width: f64,
    /// Lengths of dashes and gaps in turn; empty for a solid line.
    pub dash: Vec<f64>,
    /// Whether the ends are round instead of butt.
    pub round: bool,
}

impl Stroke {
    pub fn solid(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: Vec::new(), round: false }
    }
}
