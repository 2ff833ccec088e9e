//! Converts strokes to outlines, so that joins, caps and dashes are kept.

use crate::output::skia::transform;
use crate::scene::{Affine, Path, Segment, at};
use tiny_skia::{PathSegment, PathStroker, Stroke};

/// The outline of a stroke, mapped.
pub(super) fn outline(path: &tiny_skia::Path, pen: &Stroke, map: &Affine) -> Path {
    let scale = PathStroker::compute_resolution_scale(&transform(map));
    let dashed = pen.dash.as_ref().and_then(|dash| path.dash(dash, scale));
    let inked = dashed.as_ref().unwrap_or(path).stroke(pen, scale);
    inked.map(|path| from_skia(&path).mapped(map)).unwrap_or_default()
}

pub(super) fn from_skia(path: &tiny_skia::Path) -> Path {
    let point = |p: tiny_skia::Point| at(p.x.into(), p.y.into());
    let segment = |segment| match segment {
        PathSegment::MoveTo(p) => Segment::Move(point(p)),
        PathSegment::LineTo(p) => Segment::Line(point(p)),
        PathSegment::QuadTo(c, p) => Segment::Quad(point(c), point(p)),
        PathSegment::CubicTo(c, d, p) => Segment::Cubic(point(c), point(d), point(p)),
        PathSegment::Close => Segment::Close,
    };
    Path(path.segments().map(segment).collect())
}
