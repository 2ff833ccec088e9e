//! Markers: shapes of about equal visual weight around a point.

use crate::scene::{Path, Point, at};
use std::f64::consts::{PI, TAU};

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
}

impl Marker {
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
