//! Conversions to the types of tiny-skia.

use crate::scene::{Affine, Path, Segment};
use tiny_skia::{PathBuilder, Pixmap, Transform};

/// Builds a [`Path`] with a path builder of tiny-skia or krilla; `None` if it is empty. The caller imports [`Segment`].
macro_rules! build {
    ($builder:expr, $path:expr) => {{
        let mut out = $builder;
        for segment in &$path.0 {
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
    }};
}
pub(super) use build;

pub(super) fn to_skia(path: &Path) -> Option<tiny_skia::Path> {
    build!(PathBuilder::new(), path)
}

pub(crate) fn transform(map: &Affine) -> Transform {
    let [a, b, c, d, e, f] = map.0.map(|v| v as f32);
    Transform::from_row(a, b, c, d, e, f)
}

/// Red, green, blue and opacity of each pixel, not premultiplied.
pub(crate) fn straight(pixels: &Pixmap) -> Vec<u8> {
    let straight = pixels.pixels().iter().map(|pixel| pixel.demultiply());
    straight.flat_map(|c| [c.red(), c.green(), c.blue(), c.alpha()]).collect()
}
