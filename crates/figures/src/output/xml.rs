//! Numbers, maps and outlines as SVG attributes.

use crate::scene::{Affine, Path, Point, Segment};
use std::fmt::Write;

/// A length to a thousandth of a point, without trailing zeros and without −0.
pub(super) fn number(v: f64) -> String {
    let rounded = (v * 1000.0).round() / 1000.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// The value of `transform`. Scale factors need more digits than lengths.
pub(super) fn map(map: &Affine) -> String {
    let [a, b, c, d, e, f] = map.0;
    let share = |v: f64| {
        let rounded = (v * 1e7).round() / 1e7;
        format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
    };
    if [a, b, c, d] == [1.0, 0.0, 0.0, 1.0] {
        return format!("translate({} {})", number(e), number(f));
    }
    format!("matrix({} {} {} {} {} {})", share(a), share(b), share(c), share(d), number(e), number(f))
}

/// The value of `d`.
pub(super) fn outline(path: &Path) -> String {
    let mut out = String::new();
    let mut put = |letter: char, points: &[Point]| {
        let numbers: Vec<String> = points.iter().flat_map(|p| [number(p.x), number(p.y)]).collect();
        let _ = write!(out, "{letter}{}", numbers.join(" "));
    };
    for segment in &path.0 {
        match *segment {
            Segment::Move(p) => put('M', &[p]),
            Segment::Line(p) => put('L', &[p]),
            Segment::Quad(c, p) => put('Q', &[c, p]),
            Segment::Cubic(c, d, p) => put('C', &[c, d, p]),
            Segment::Close => put('Z', &[]),
        }
    }
    out
}
