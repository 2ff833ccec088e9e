//! Markers: shapes of about equal visual weight around a point; hollow where a value is unreliable, ringed where a unit is inert.

use super::element::{Datum, Element, Line, Spot};
use super::figure::Panel;
use super::frame::{Frame, Position};
use super::meanings;
use super::palette::Look;
use super::style::{Style, WHITE};
use crate::scene::{Colour, Meaning, Path, Point, Rect, Role, Scene, Stroke, at};
use std::f64::consts::{PI, TAU};

/// Markers of a line that are closer than this, in diameters, are left out.
const CROWDED: f64 = 1.7;
/// Distance of the markers of a sparse line, in diameters.
const SPARSE: f64 = 9.0;
/// By which share of it lines are shifted against each other: whole multiples of the golden section never come together.
const TURN: f64 = 0.618_034;
/// The diameter of a ring, in diameters of its marker.
const RING: f64 = 1.55;
// Rings of neighbouring markers stay apart.
const _: () = assert!(RING < CROWDED);

/// A shape; `Up` to `Right` are triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Marker {
    Circle,
    Square,
    Diamond,
    Up,
    Down,
    Left,
    Right,
    Pentagon,
    Hexagon,
    Star,
    Plus,
    Cross,
    Bar,
    Pillar,
    Bow,
    Hourglass,
    Chevron,
}

impl Marker {
    /// All of them.
    pub(crate) const ALL: [Self; 13] = [
        Self::Circle,
        Self::Square,
        Self::Diamond,
        Self::Up,
        Self::Down,
        Self::Left,
        Self::Right,
        Self::Pentagon,
        Self::Hexagon,
        Self::Star,
        Self::Plus,
        Self::Cross,
        Self::Bar,
    ];

    /// Its name in files and on command lines.
    pub(crate) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Its outline around `centre`; `diameter` is that of the circle, which the others match in weight.
    pub(crate) fn outline(self, centre: Point, diameter: f64) -> Path {
        let r = diameter / 2.0;
        let corner = |x: f64, y: f64| at(centre.x + x * r, centre.y + y * r);
        let polygon = |corners: &[(f64, f64)]| {
            Path::around(&corners.iter().map(|&(x, y)| corner(x, y)).collect::<Vec<_>>())
        };
        // Corners at equal angles from the top, at radii that repeat.
        let wheel = |n: usize, radii: &[f64]| {
            let on_wheel = |i: usize| {
                let (sin, cos) = (TAU * i as f64 / n as f64 - PI / 2.0).sin_cos();
                let radius = radii[i % radii.len()];
                (radius * cos, radius * sin)
            };
            polygon(&(0..n).map(on_wheel).collect::<Vec<_>>())
        };
        match self {
            Self::Circle => Path::circle(centre, r),
            Self::Square => polygon(&[(-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89)]),
            Self::Diamond => polygon(&[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]),
            Self::Up => polygon(&[(0.0, -1.15), (1.15, 0.85), (-1.15, 0.85)]),
            Self::Down => polygon(&[(0.0, 1.15), (1.15, -0.85), (-1.15, -0.85)]),
            Self::Left => polygon(&[(-1.15, 0.0), (0.85, 1.15), (0.85, -1.15)]),
            Self::Right => polygon(&[(1.15, 0.0), (-0.85, 1.15), (-0.85, -1.15)]),
            Self::Pentagon => wheel(5, &[1.15]),
            Self::Hexagon => wheel(6, &[1.12]),
            Self::Star => wheel(10, &[1.4, 0.62]),
            Self::Plus => cross(&corner),
            Self::Cross => cross(&|x, y| corner(0.707 * (x - y), 0.707 * (x + y))),
            Self::Bar => polygon(&[(-1.35, -0.5), (1.35, -0.5), (1.35, 0.5), (-1.35, 0.5)]),
            Self::Pillar => polygon(&[(-0.5, -1.35), (0.5, -1.35), (0.5, 1.35), (-0.5, 1.35)]),
            Self::Bow => {
                polygon(&[(-1.25, -1.0), (0.0, -0.25), (1.25, -1.0), (1.25, 1.0), (0.0, 0.25), (-1.25, 1.0)])
            }
            Self::Hourglass => {
                polygon(&[(-1.0, -1.25), (1.0, -1.25), (0.25, 0.0), (1.0, 1.25), (-1.0, 1.25), (-0.25, 0.0)])
            }
            Self::Chevron => {
                polygon(&[(0.0, -1.2), (1.25, 0.2), (1.25, 1.2), (0.0, -0.1), (-1.25, 1.2), (-1.25, 0.2)])
            }
        }
    }

    /// How far it extends from its centre at most.
    pub(crate) fn reach(diameter: f64) -> f64 {
        0.7 * diameter
    }
}

fn cross(corner: &dyn Fn(f64, f64) -> Point) -> Path {
    // Length and half width of its arms.
    const L: f64 = 1.25;
    const W: f64 = 0.42;
    let up = [(-W, -L), (W, -L), (W, -W)];
    let right = [(L, -W), (L, W), (W, W)];
    let down = [(W, L), (-W, L), (-W, W)];
    let left = [(-L, W), (-L, -W), (-W, -W)];
    let corners = [up, right, down, left].concat();
    Path::around(&corners.into_iter().map(|(x, y)| corner(x, y)).collect::<Vec<_>>())
}

/// Markers of lines and single values, above the frame so that none is cut.
pub(super) fn markers(panel: &Panel, frame: &Frame, style: &Style, scene: &mut Scene) {
    let mut lines = 0;
    for element in &panel.elements {
        match element {
            Element::Line(line) => {
                draw_markers(panel, line, lines, frame, style, scene);
                lines += usize::from(line.sparse);
            }
            Element::Spot(spot) => draw_spot(panel, spot, frame, style, scene),
            _ => {}
        }
    }
}

/// Draws the markers of a line, the `turn`th sparse one of its panel.
fn draw_markers(panel: &Panel, line: &Line, turn: usize, frame: &Frame, style: &Style, scene: &mut Scene) {
    let apart = style.marker * if line.sparse { SPARSE } else { CROWDED };
    // Sparse lines begin at different places, so that markers of lines that coincide lie side by side.
    let start = frame.area.x + apart * (TURN * (1 + turn) as f64).fract();
    let mut last: Option<f64> = line.sparse.then_some(start - apart);
    let means = |datum: &Datum| meanings::datum(panel, line, datum);
    for stretch in frame.stretches(line) {
        let lone = stretch.len() == 1;
        for (i, &(p, datum)) in stretch.iter().enumerate() {
            // The file of a figure may set the ends of an axis within its values.
            if !frame.holds(p) {
                continue;
            }
            scene.mark(Role::Value { series: line.name.clone() }, Rect::around(p, p));
            // Markers that would overlap are left out.
            let is_last = i + 1 == stretch.len() && !line.sparse;
            let crowded = last.is_some_and(|x| p.x - x < apart) && !is_last;
            if (line.marked && !crowded) || lone {
                let look = line.look.hollow_unless(datum.firm);
                draw_marker(means(datum), look, p, style.marker, style, scene);
                ring(datum, look, p, style.marker, style, scene);
                last = Some(p.x);
            }
        }
    }
    for datum in &line.data {
        if let Some((p, look)) = beyond(frame.position(datum, line.right), line.look, style) {
            draw_marker(means(datum), look, p, style.marker, style, scene);
            scene.mark(Role::Value { series: line.name.clone() }, Rect::around(p, p));
        }
    }
}

/// A value beyond the axis is an arrow head at the edge of the panel.
fn beyond(position: Position, look: Look, style: &Style) -> Option<(Point, Look)> {
    let Position::Beyond(edge, marker) = position else { return None };
    let inset = 0.8 * style.marker;
    let p = match marker {
        Marker::Up => at(edge.x, edge.y + inset),
        Marker::Down => at(edge.x, edge.y - inset),
        Marker::Right => at(edge.x - inset, edge.y),
        _ => at(edge.x + inset, edge.y),
    };
    Some((p, Look { marker, ..look }))
}

fn draw_marker(meaning: Meaning, look: Look, p: Point, size: f64, style: &Style, scene: &mut Scene) {
    let (fill, pen) = marker_ink(&look, style);
    scene.data(meaning, look.marker.outline(p, size), Some(fill), Some(pen));
}

/// Fill and outline of a marker.
pub(super) fn marker_ink(look: &Look, style: &Style) -> (Colour, Stroke) {
    if look.hollow {
        (WHITE, Stroke::solid(look.colour, 1.3 * style.frame))
    } else {
        (look.colour, Stroke::solid(WHITE, 0.5 * style.frame))
    }
}

fn draw_spot(panel: &Panel, spot: &Spot, frame: &Frame, style: &Style, scene: &mut Scene) {
    let position = frame.position(&spot.at, false);
    let meaning = meanings::spot(panel, spot);
    if let Some((p, look)) = beyond(position, spot.look, style) {
        draw_marker(meaning, look, p, style.marker, style, scene);
        scene.mark(Role::Value { series: spot.name.clone() }, Rect::around(p, p));
        return;
    }
    let Position::Here(p) = position else { return };
    if !frame.holds(p) {
        return;
    }
    for (a, b) in frame.whiskers(spot) {
        scene.line(a, b, Stroke::solid(spot.look.colour.tinted(0.2), 1.2 * style.frame));
    }
    scene.mark(Role::Value { series: spot.name.clone() }, Rect::around(p, p));
    let look = spot.look.hollow_unless(spot.at.firm);
    draw_marker(meaning, look, p, spot.size * style.spot, style, scene);
    ring(&spot.at, look, p, spot.size * style.spot, style, scene);
}

/// A ring around the marker of something inert.
fn ring(datum: &Datum, look: Look, p: Point, size: f64, style: &Style, scene: &mut Scene) {
    if datum.inert {
        let outline = Marker::Circle.outline(p, RING * size);
        scene.path(outline, None, Some(Stroke::solid(look.colour, 0.9 * style.frame)));
    }
}
