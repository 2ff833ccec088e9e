//! Draws heat maps: cells in the colours of their values, hatched where a value is unreliable, white under crosses where it
//! is undefined, so that neither passes for a value, in print without colours too.

use super::element::{Datum, Element};
use super::figure::Panel;
use super::frame::Frame;
use super::meanings;
use super::strip::Strip;
use super::style::{GUIDE, MUTED, Style, WHITE};
use crate::scene::{Path, Point, Rect, Role, Scene, Segment, Stroke, at};

/// No cell is narrower than this. Of values that are closer to one another, one is drawn.
const NARROWEST: f64 = 1.5;
/// Cells lie this far below the next ones, so that no viewer shows the paper between them.
const OVERLAP: f64 = 0.3;

/// What can be seen of a value besides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Texture {
    /// It is reliable.
    Plain,
    /// It is unreliable.
    Hatched,
    /// It is undefined.
    Crossed,
}

impl Texture {
    pub(super) fn of(datum: &Datum) -> Self {
        match (datum.y.is_nan(), datum.firm) {
            (true, _) => Self::Crossed,
            (false, false) => Self::Hatched,
            (false, true) => Self::Plain,
        }
    }

    /// Draws it over a box.
    pub(super) fn draw(self, area: &Rect, style: &Style, scene: &mut Scene) {
        let pitch = 0.5 * style.tick;
        let width = 0.7 * style.frame;
        match self {
            Self::Plain => {}
            // Light beside dark, so that it is seen on every colour.
            Self::Hatched => {
                let lines = diagonals(area, pitch, true);
                scene.path(lines.clone(), None, Some(Stroke::solid(WHITE, 2.4 * width)));
                scene.path(lines, None, Some(Stroke::solid(GUIDE, 0.85 * width)));
            }
            Self::Crossed => {
                let mut lines = diagonals(area, pitch, true);
                lines.0.extend(diagonals(area, pitch, false).0);
                scene.path(Path::rect(area), Some(WHITE), None);
                scene.path(lines, None, Some(Stroke::solid(MUTED, width)));
            }
        }
    }
}

/// Lines across a box at 45°, rising or falling. They lie on a lattice of the page, so that those of neighbouring boxes meet.
fn diagonals(area: &Rect, pitch: f64, rising: bool) -> Path {
    let step = pitch * std::f64::consts::SQRT_2;
    // Rising lines have x + y = c, falling ones x − y = c.
    let sign = if rising { 1.0 } else { -1.0 };
    let sums = [area.y, area.bottom()].map(|y| sign * y);
    let first = ((area.x + sums[0].min(sums[1])) / step).ceil() as i64;
    let last = ((area.right() + sums[0].max(sums[1])) / step).floor() as i64;
    let line = |k: i64| {
        let c = k as f64 * step;
        let ends = sums.map(|sum| (c - sum).clamp(area.x, area.right()));
        ends.map(|x| at(x, sign * (c - x)))
    };
    let segments = (first..=last).map(line).flat_map(|[a, b]| [Segment::Move(a), Segment::Line(b)]);
    Path(segments.collect())
}

impl Frame {
    /// The cells of a strip that are drawn, from left to right. Where several share a place, it is that of which least is known,
    /// else the last.
    pub(super) fn cells<'a>(&self, strip: &'a Strip) -> Vec<(Rect, &'a Datum)> {
        let [Some(bottom), Some(top)] = strip.sides().map(|side| self.y(side, false)) else {
            return Vec::new();
        };
        let x = |value: f64| self.x(value).map(|x| x.clamp(self.area.x, self.area.right()));
        let edges = strip.edges().into_iter().map(|(from, to)| Some((x(from)?, x(to)?)));
        let placed: Vec<(f64, f64, &Datum)> =
            edges.zip(&strip.data).filter_map(|(ends, datum)| ends.map(|(a, b)| (a, b, datum))).collect();
        let mut cells: Vec<(Rect, &Datum)> = Vec::new();
        let mut rest = &placed[..];
        while let Some(&(left, ..)) = rest.first() {
            let wide = rest.iter().position(|cell| cell.1 - left >= NARROWEST).unwrap_or(rest.len() - 1);
            let (group, others) = rest.split_at(wide + 1);
            let kept = group.iter().max_by_key(|cell| Texture::of(cell.2)).expect("one at least");
            cells.push((Rect::around(at(left, top), at(group[wide].1, bottom)), kept.2));
            rest = others;
        }
        cells
    }
}

/// The strips of a panel.
pub(super) fn draw(panel: &Panel, frame: &Frame, style: &Style, scene: &mut Scene) {
    let strips = panel.elements.iter().filter_map(|element| match element {
        Element::Strip(strip) => Some(strip),
        _ => None,
    });
    let mut textures: Vec<(Texture, Rect)> = Vec::new();
    for strip in strips {
        let scale = strip.shade.scale();
        let cells = frame.cells(strip);
        for (area, datum) in &cells {
            let fill = strip.shade.colour(&scale, datum.y).unwrap_or(WHITE);
            let under = Rect::new(area.x, area.y - OVERLAP, area.w + OVERLAP, area.h + OVERLAP);
            scene.data(meanings::cell(panel, strip, datum), Path::rect(&under), Some(fill), None);
            let p: Point = area.centre();
            scene.mark(Role::Value { series: strip.name.clone() }, Rect::around(p, p));
        }
        // One texture over all neighbours that share it.
        for run in cells.chunk_by(|a, b| Texture::of(a.1) == Texture::of(b.1)) {
            textures.push((Texture::of(run[0].1), run[0].0.around_both(&run[run.len() - 1].0)));
        }
    }
    for (texture, area) in textures {
        texture.draw(&area, style, scene);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hatching_stays_in_its_box_and_crosses_it() {
        let area = Rect::new(3.0, 5.0, 20.0, 8.0);
        for rising in [true, false] {
            let lines = diagonals(&area, 3.0, rising);
            assert!(lines.points().all(|p| area.grown(1e-9).contains(p)), "{lines:?}");
            // As many as its corners are apart across the lines.
            let count = (28.0 / (3.0 * std::f64::consts::SQRT_2)) as usize;
            assert!((count..=count + 1).contains(&(lines.0.len() / 2)), "{lines:?}");
            for pair in lines.points().collect::<Vec<_>>().chunks(2) {
                let [dx, dy] = [pair[1].x - pair[0].x, pair[1].y - pair[0].y];
                assert!((dx.abs() - dy.abs()).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn what_is_undefined_is_crossed_whatever_else_is_said_of_it() {
        let datum = |y, firm| Datum { firm, ..Datum::new(0.0, y) };
        assert_eq!(Texture::of(&datum(1.0, true)), Texture::Plain);
        assert_eq!(Texture::of(&datum(1.0, false)), Texture::Hatched);
        assert_eq!(Texture::of(&datum(f64::NAN, true)), Texture::Crossed);
    }
}
