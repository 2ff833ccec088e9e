//! Our outlines as those of the drawer of pixels.

use crate::scene::{Path, Segment};
use tiny_skia::PathBuilder;

/// The same outline; nothing if there is nothing to it.
pub(super) fn to_skia(path: &Path) -> Option<tiny_skia::Path> {
    let mut out = PathBuilder::new();
    for segment in &path.0 {
        match *segment {
            Segment::Move(p) => out.move_to(p.x as f32, p.y as f32),
            Segment::Line(p) => out.line_to(p.x as f32, p.y as f32),
            Segment::Quad(c, p) => out.quad_to(c.x as f32, c.y as f32, p.x as f32, p.y as f32),
            Segment::Cubic(c, d, p) => {
                out.cubic_to(c.x as f32, c.y as f32, d.x as f32, d.y as f32, p.x as f32, p.y as f32);
            }
            Segment::Close => out.close(),
        }
    }
    out.finish()
}
