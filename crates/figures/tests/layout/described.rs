//! A scene as text, so that a change shows up as a readable diff.

use figures::scene::{Colour, Item, Path, Point, Scene, Segment, Stroke};
use std::fmt::Write;

/// The scene as text: one line per item, with coordinates to a tenth of a point.
pub(crate) fn described(scene: &Scene) -> String {
    let mut out = format!("page {} × {}\n", short(scene.width), short(scene.height));
    list(&scene.items, 0, &mut out);
    out
}

fn list(items: &[Item], depth: usize, out: &mut String) {
    for item in items {
        let indent = "  ".repeat(depth);
        match item {
            Item::Path { path, fill, stroke, .. } => {
                let _ = writeln!(out, "{indent}{}{}", outline(path), ink(fill.as_ref(), stroke.as_ref()));
            }
            Item::Text { label, map } => {
                let place = map.apply(Point::default());
                let [a, b, ..] = map.0;
                let turned = (-b).atan2(a).to_degrees().round();
                let turn = if turned == 0.0 { String::new() } else { format!(" turned {turned}°") };
                let place = place_of(place);
                let _ = writeln!(out, "{indent}text {:?} at {place}{turn}, {}", label.source(), label.look());
            }
            Item::Clipped { area, items } => {
                let corner = Point { x: area.right(), y: area.bottom() };
                let start = Point { x: area.x, y: area.y };
                let _ = writeln!(out, "{indent}inside {} – {}:", place_of(start), place_of(corner));
                list(items, depth + 1, out);
            }
            Item::Artwork { artwork, map } => {
                let place = place_of(map.apply(Point::default()));
                let _ = writeln!(out, "{indent}artwork of {} parts at {place}", artwork.parts.len());
            }
            Item::Image { bitmap, area } => {
                let start = Point { x: area.x, y: area.y };
                let pixels = format!("{} × {} pixels", bitmap.width, bitmap.height);
                let size = format!("{} × {}", short(area.w), short(area.h));
                let _ = writeln!(out, "{indent}image of {pixels} at {}, {size}", place_of(start));
            }
        }
    }
}

/// The first and last points of an outline, and their number.
fn outline(path: &Path) -> String {
    const SHOWN: usize = 6;
    let ends: Vec<Point> = path
        .0
        .iter()
        .filter_map(|segment| match *segment {
            Segment::Move(p) | Segment::Line(p) | Segment::Quad(_, p) | Segment::Cubic(_, _, p) => Some(p),
            Segment::Close => None,
        })
        .collect();
    let kind = if path.0.last() == Some(&Segment::Close) { "shape" } else { "line" };
    let words = |points: &[Point]| points.iter().map(|&p| place_of(p)).collect::<Vec<_>>().join(" ");
    if ends.len() <= SHOWN {
        return format!("{kind} {}", words(&ends));
    }
    let head = words(&ends[..SHOWN / 2]);
    let tail = words(&ends[ends.len() - SHOWN / 2..]);
    format!("{kind} {head} … {tail} ({} points)", ends.len())
}

fn ink(fill: Option<&Colour>, stroke: Option<&Stroke>) -> String {
    let colour = |c: &Colour| {
        let opacity = if c.a == 255 { String::new() } else { format!("/{}", c.a) };
        format!("{}{opacity}", c.css())
    };
    let mut words = String::new();
    if let Some(fill) = fill {
        let _ = write!(words, ", filled {}", colour(fill));
    }
    if let Some(stroke) = stroke {
        let dashed = if stroke.dash.is_empty() { "" } else { " dashed" };
        let _ = write!(words, ", pen {} {}{dashed}", colour(&stroke.colour), short(stroke.width));
    }
    words
}

fn place_of(p: Point) -> String {
    format!("{},{}", short(p.x), short(p.y))
}

/// To a tenth, without a trailing zero and without −0.
fn short(v: f64) -> String {
    let tenth = (v * 10.0).round() / 10.0;
    format!("{}", if tenth == 0.0 { 0.0 } else { tenth })
}
