//! Grid, frame, ticks and what is printed along the axes.

use super::figure::Panel;
use super::fit::FittedAxis;
use super::layout::Cell;
use super::style::{GRID, GRID_MINOR, INK, Style};
use crate::scene::{Path, Point, Rect, Scene, Stroke, at};

/// Lines behind the data, at the ticks of the left and the lower axis; none at names.
pub(super) fn draw_grid(panel: &Panel, cell: &Cell, style: &Style, scene: &mut Scene) {
    let area = cell.area;
    let lying = |y: f64| (at(area.x, y), at(area.right(), y));
    let upright = |x: f64| (at(x, area.y), at(x, area.bottom()));
    let (x, y) = (&cell.fitted.x, &cell.fitted.y);
    let named = |axis: &super::axis::Axis| matches!(axis.kind, super::axis::Kind::Categories(_));
    let mut lines: Vec<((Point, Point), bool)> = Vec::new();
    for (axis, is_lying) in [(x, false), (y, true)] {
        if named(if is_lying { &panel.y } else { &panel.x }) {
            continue;
        }
        let place = |v: f64| along(axis, v, &area, is_lying);
        let line = |v: f64| if is_lying { lying(place(v)) } else { upright(place(v)) };
        lines.extend(axis.ticks.minor.iter().map(|v| (line(*v), false)));
        lines.extend(axis.ticks.major.iter().map(|t| (line(t.value), true)));
    }
    lines.sort_by_key(|(_, major)| *major);
    for ((a, b), major) in lines {
        let stroke = if major {
            Stroke::solid(GRID, 0.75 * style.frame)
        } else {
            Stroke::solid(GRID_MINOR, 0.6 * style.frame)
        };
        scene.line(a, b, stroke);
    }
}

fn along(axis: &FittedAxis, value: f64, area: &Rect, is_lying: bool) -> f64 {
    let share = axis.scale.share(value).unwrap_or(0.0);
    if is_lying { area.bottom() - share * area.h } else { area.x + share * area.w }
}

/// The box around the panel.
pub(super) fn draw_frame(cell: &Cell, style: &Style, scene: &mut Scene) {
    scene.path(Path::rect(&cell.area), None, Some(Stroke::solid(INK, style.frame)));
}

/// Ticks and their labels.
pub(super) fn draw_ticks(cell: &Cell, style: &Style, scene: &mut Scene) {
    let (area, long) = (cell.area, style.tick_length());
    let short = 0.55 * long;
    let pen = |width: f64, axis: &FittedAxis| Stroke::solid(axis.colour, width * style.frame);
    let x = &cell.fitted.x;
    let foot = area.bottom();
    for value in &x.ticks.minor {
        let place = along(x, *value, &area, false);
        scene.line(at(place, foot), at(place, foot + short), pen(0.7, x));
    }
    for tick in &x.ticks.major {
        let place = along(x, tick.value, &area, false);
        scene.line(at(place, foot), at(place, foot + long), pen(1.0, x));
    }
    for (tick, label) in x.ticks.major.iter().zip(&x.labels) {
        let place = along(x, tick.value, &area, false);
        let y = foot + long + style.gap;
        if x.turned {
            scene.text(label, at(place, y), (1.0, 0.5), 90.0);
        } else {
            // Tops of digits align; a superscript rises above them.
            let rise = label.body().y - label.area().y;
            scene.text(label, at(place, y + rise), (0.5, 0.0), 0.0);
        }
    }
    draw_standing(&cell.fitted.y, area.x, -1.0, cell, style, scene);
    if let Some(right) = &cell.fitted.right {
        draw_standing(right, area.right(), 1.0, cell, style, scene);
    }
}

/// Ticks of an upright axis at `x`, which point to the left (−1) or the right (1).
fn draw_standing(axis: &FittedAxis, x: f64, side: f64, cell: &Cell, style: &Style, scene: &mut Scene) {
    let (area, long) = (cell.area, style.tick_length());
    let pen = |width: f64| Stroke::solid(axis.colour, width * style.frame);
    for value in &axis.ticks.minor {
        let y = along(axis, *value, &area, true);
        scene.line(at(x, y), at(x + side * 0.55 * long, y), pen(0.7));
    }
    for tick in &axis.ticks.major {
        let y = along(axis, tick.value, &area, true);
        scene.line(at(x, y), at(x + side * long, y), pen(1.0));
    }
    for (tick, label) in axis.ticks.major.iter().zip(&axis.labels) {
        let y = along(axis, tick.value, &area, true);
        let anchor = if side < 0.0 { 1.0 } else { 0.0 };
        scene.text(label, at(x + side * (long + style.gap), y), (anchor, 0.5), 0.0);
    }
}

/// What the axes show. Titles of one column stand on one line, whatever the width of their tick labels.
pub(super) fn draw_titles(cell: &Cell, style: &Style, scene: &mut Scene) {
    let (area, fitted) = (cell.area, &cell.fitted);
    let beyond = |axis: &FittedAxis| {
        let labels = if axis.depth > 0.0 { style.gap + axis.depth } else { 0.0 };
        let ticks = if fitted.absent.is_some() { 0.0 } else { style.tick_length() + labels };
        ticks + 1.3 * style.gap
    };
    if let Some(title) = &fitted.x.title {
        let rise = title.body().y - title.area().y;
        scene.text(title, at(area.centre().x, area.bottom() + beyond(&fitted.x) + rise), (0.5, 0.0), 0.0);
    }
    if let Some(title) = &fitted.y.title {
        // The far edge of the cell, so that titles over rows align.
        let size = title.area();
        let rise = title.body().y - size.y;
        scene.text(title, at(cell.outer.x + rise, area.centre().y), (0.5, 0.0), 90.0);
    }
    if let Some(title) = fitted.right.as_ref().and_then(|axis| axis.title.as_ref()) {
        let hang = title.area().bottom() - title.body().bottom();
        scene.text(title, at(cell.outer.right() - hang, area.centre().y), (0.5, 1.0), 90.0);
    }
}
