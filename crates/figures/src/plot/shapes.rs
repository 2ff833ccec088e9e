//! Draws data: regions, bands, bars and lines. Their markers are in `marker.rs`, heat maps in `cells.rs`.

use super::decimate::decimate;
use super::element::{Bars, Datum, Element};
use super::figure::Panel;
use super::frame::Frame;
use super::meanings;
use super::palette::Dash;
use super::style::{INK, MUTED, Style, WHITE};
use crate::scene::{Colour, Path, Point, Rect, Role, Scene, Stroke, at};

/// Shaded regions, below everything.
pub(super) fn regions(panel: &Panel, frame: &Frame, scene: &mut Scene) {
    let area = frame.area;
    for element in &panel.elements {
        let Element::Region(region) = element else { continue };
        let x = |v: f64, edge: f64| frame.x(v).unwrap_or(edge);
        let y = |v: f64, edge: f64| frame.y(v, false).unwrap_or(edge);
        let from = at(x(region.x.0, area.x), y(region.y.0, area.bottom()));
        let to = at(x(region.x.1, area.right()), y(region.y.1, area.y));
        scene.path(Path::rect(&Rect::around(from, to)), Some(region.fill), None);
    }
}

/// Bands, bars and reference lines.
pub(super) fn grounds(panel: &Panel, frame: &Frame, style: &Style, scene: &mut Scene) {
    for element in &panel.elements {
        if let Element::Band(band) = element {
            let edge = |upper: bool| -> Vec<Point> {
                let point = |&(x, low, high): &(f64, f64, f64)| {
                    Some(at(frame.x(x)?, frame.y(if upper { high } else { low }, false)?))
                };
                decimate(&band.data.iter().filter_map(point).collect::<Vec<_>>())
            };
            let mut outline = edge(true);
            outline.extend(edge(false).into_iter().rev());
            let meaning = meanings::band(panel, band);
            scene.data(meaning, Path::around(&outline), Some(band.colour.faint(0.2)), None);
        }
    }
    for element in &panel.elements {
        if let Element::Bars(bars) = element {
            draw_bars(panel, bars, frame, style, scene);
        }
    }
    for element in &panel.elements {
        let Element::Guide(guide) = element else { continue };
        let width = 1.3 * style.frame;
        let stroke = Stroke { dash: guide.dash.lengths(width), ..Stroke::solid(guide.colour, width) };
        let Some([start, end]) = frame.guide(guide) else { continue };
        let path = Path::through(&[start, end]);
        if guide.listed {
            scene.data(meanings::guide(panel, guide), path, None, Some(stroke));
        } else {
            scene.path(path, None, Some(stroke));
        }
        scene.mark(Role::Guide, Rect::around(start, end));
    }
}

/// Fill and outline of a bar; published values are grey.
pub(super) fn bar_ink(colour: Colour, published: bool) -> (Colour, Colour) {
    if published { (colour.grey().tinted(0.55), MUTED) } else { (colour.tinted(0.15), colour) }
}

fn draw_bars(panel: &Panel, bars: &Bars, frame: &Frame, style: &Style, scene: &mut Scene) {
    for bar in &bars.bars {
        let Some(area) = frame.bar(bars, bar) else { continue };
        let (fill, edge) = bar_ink(bars.colour, bars.published);
        let pen = Stroke {
            dash: if bars.published { Dash::Dashed.lengths(style.frame) } else { Vec::new() },
            ..Stroke::solid(edge, style.frame)
        };
        scene.data(meanings::bar(panel, bars, bar), Path::rect(&area), Some(fill), Some(pen));
        scene.mark(Role::Bar { series: bars.name.clone() }, area.common(&frame.area).unwrap_or(area));
        let middle = area.centre().x;
        if let Some(error) = bar.error.filter(|e| e.high > e.low)
            && let (Some(low), Some(high)) = (frame.y(error.low, false), frame.y(error.high, false))
        {
            let pen = Stroke::solid(INK, 1.1 * style.frame);
            // Caps of a short error bar would be a bar of their own.
            let cap = (0.16 * area.w).min(0.45 * style.tick).min(0.5 * (low - high));
            scene.line(at(middle, low), at(middle, high), pen.clone());
            scene.line(at(middle - cap, low), at(middle + cap, low), pen.clone());
            scene.line(at(middle - cap, high), at(middle + cap, high), pen);
        }
        // The values of the seeds, side by side.
        let count = bar.points.len();
        for (i, &(seed, point)) in bar.points.iter().enumerate() {
            let share = if count > 1 { i as f64 / (count - 1) as f64 - 0.5 } else { 0.0 };
            let place = frame.y(point, false).map(|y| at(middle + 0.6 * share * area.w, y));
            if let Some(place) = place.filter(|place| frame.holds(*place)) {
                let pen = Stroke::solid(INK, 0.8 * style.frame);
                let meaning = meanings::point(panel, bars, bar, seed, point);
                scene.data(meaning, Path::circle(place, 0.28 * style.marker), Some(WHITE), Some(pen));
                scene.mark(Role::Value { series: bars.name.clone() }, Rect::around(place, place));
            }
        }
    }
}

/// Lines without their markers.
pub(super) fn lines(panel: &Panel, frame: &Frame, style: &Style, scene: &mut Scene) {
    for element in &panel.elements {
        let Element::Line(line) = element else { continue };
        let width = line.weight * style.line;
        for stretch in frame.stretches(line) {
            // Runs of equal reliability; a step to or from an unreliable value counts as unreliable.
            let firm = |w: &[(Point, &Datum)]| w[0].1.firm && w[1].1.firm;
            let steps: Vec<&[(Point, &Datum)]> = stretch.windows(2).collect();
            for run in steps.chunk_by(|a, b| firm(a) == firm(b)) {
                let mut points = vec![run[0][0].0];
                points.extend(run.iter().map(|w| w[1].0));
                let points = decimate(&points);
                let (dash, colour) = if firm(run[0]) {
                    (line.look.dash.lengths(width), line.look.colour)
                } else {
                    (Dash::Dotted.lengths(width), line.look.colour)
                };
                let stroke = Stroke { dash, ..Stroke::solid(colour, width) };
                scene.data(meanings::line(panel, line), Path::through(&points), None, Some(stroke));
            }
        }
    }
}

/// A thin line from a value to its name.
pub(super) fn leader(from: Point, to: Point, style: &Style, scene: &mut Scene) {
    scene.line(from, to, Stroke::solid(MUTED, 0.7 * style.frame));
    scene.mark(Role::Leader { from, to }, Rect::around(from, to));
}
