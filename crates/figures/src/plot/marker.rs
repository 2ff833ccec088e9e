//! Markers: shapes of about equal weight around a point.

use crate::scene::{Path, Point, at};
use std::f64::consts::{PI, TAU};

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// ●
    Circle,
    /// ■
    Square,
    /// ◆
    Diamond,
    /// ▲
    Up,
    /// ▼
    Down,
    /// ◀
    Left,
    /// ▶
    Right,
    /// A regular pentagon.
    Pentagon,
    /// A regular hexagon.
    Hexagon,
    /// A star with five points.
    Star,
    /// A thick upright cross.
    Plus,
    /// A thick slanting cross.
    Cross,
    /// A lying bar.
    Bar,
}

impl Marker {
    /// Its outline around `centre`; a circle would have this `diameter`.
    pub fn outline(self, centre: Point, diameter: f64) -> Path {
        let r = diameter / 2.0;
        let place = |x: f64, y: f64| at(centre.x + x * r, centre.y + y * r);
        let polygon = |corners: &[(f64, f64)]| {
            Path::around(&corners.iter().map(|&(x, y)| place(x, y)).collect::<Vec<_>>())
        };
        // Corners at equal angles from the top, at radii that repeat.
        let wheel = |n: usize, radii: &[f64]| {
            let corner = |i: usize| {
                let (sin, cos) = (TAU * i as f64 / n as f64 - PI / 2.0).sin_cos();
                let radius = radii[i % radii.len()];
                (radius * cos, radius * sin)
            };
            polygon(&(0..n).map(corner).collect::<Vec<_>>())
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
            Self::Plus => cross(&place),
            Self::Cross => {
                let turned = |x: f64, y: f64| place(0.707 * (x - y), 0.707 * (x + y));
                cross(&turned)
            }
            Self::Bar => polygon(&[(-1.35, -0.5), (1.35, -0.5), (1.35, 0.5), (-1.35, 0.5)]),
        }
    }

    /// How far it reaches from its centre at most.
    pub fn reach(diameter: f64) -> f64 {
        0.7 * diameter
    }
}

fn cross(place: &dyn Fn(f64, f64) -> Point) -> Path {
    let (long, thin) = (1.25, 0.42);
    let corners = [
        (-thin, -long),
        (thin, -long),
        (thin, -thin),
        (long, -thin),
        (long, thin),
        (thin, thin),
        (thin, long),
        (-thin, long),
        (-thin, thin),
        (-long, thin),
        (-long, -thin),
        (-thin, -thin),
    ];
    Path::around(&corners.map(|(x, y)| place(x, y)))
}
