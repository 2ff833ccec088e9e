//! Lines as the outlines of their ink, so that corners, ends and dashes come out as they were meant.

use crate::scene::{Affine, Path, Segment, at};
use tiny_skia::{PathSegment, PathStroker, Stroke, Transform};

/// The outline of the ink of a line that is drawn first and mapped afterwards.
pub(super) fn outline(path: &tiny_skia::Path, pen: &Stroke, map: &Affine) -> Path {
    let [a, b, c, d, e, f] = map.0.map(|v| v as f32);
    let scale = PathStroker::compute_resolution_scale(&Transform::from_row(a, b, c, d, e, f));
    let dashed = pen.dash.as_ref().and_then(|dash| path.dash(dash, scale));
    let inked = dashed.as_ref().unwrap_or(path).stroke(pen, scale);
    inked.map(|path| from_skia(&path).mapped(map)).unwrap_or_default()
}

/// A path of ours.
pub(super) fn from_skia(path: &tiny_skia::Path) -> Path {
    let place = |p: tiny_skia::Point| at(p.x.into(), p.y.into());
    let segment = |segment| match segment {
        PathSegment::MoveTo(p) => Segment::Move(place(p)),
        PathSegment::LineTo(p) => Segment::Line(place(p)),
        PathSegment::QuadTo(c, p) => Segment::Quad(place(c), place(p)),
        PathSegment::CubicTo(c, d, p) => Segment::Cubic(place(c), place(d), place(p)),
        PathSegment::Close => Segment::Close,
    };
    Path(path.segments().map(segment).collect())
}
