//! Draws grid, frame, ticks and the text along the axes.

use super::axis::AxisKind;
use super::figure::Panel;
use super::fitted_axis::FittedAxis;
use super::layout::Cell;
use super::meanings;
use super::style::{GRID, GRID_MINOR, INK, Style};
use crate::scene::{Path, Point, Rect, Scene, Stroke, at};

/// Lines behind the data at the ticks of the left and lower axes; none on an axis of names.
pub(super) fn draw_grid(panel: &Panel, cell: &Cell, style: &Style, scene: &mut Scene) {
    let area = cell.area;
    let mut lines: Vec<(Point, Point, bool)> = Vec::new();
    for (axis, fitted, is_vertical) in [(&panel.x, &cell.fitted.x, false), (&panel.y, &cell.fitted.y, true)] {
        if matches!(axis.kind, AxisKind::Categories(_)) {
            continue;
        }
        let grid_line = |value: f64, major: bool| {
            let place = along(fitted, value, &area, is_vertical);
            if is_vertical {
                (at(area.x, place), at(area.right(), place), major)
            } else {
                (at(place, area.y), at(place, area.bottom()), major)
            }
        };
        lines.extend(fitted.ticks.minor.iter().map(|value| grid_line(*value, false)));
        lines.extend(fitted.ticks.major.iter().map(|tick| grid_line(tick.value, true)));
    }
    lines.sort_by_key(|(.., major)| *major);
    for (start, end, major) in lines {
        let (colour, width) = if major { (GRID, 0.75) } else { (GRID_MINOR, 0.6) };
        scene.line(start, end, Stroke::solid(colour, width * style.frame));
    }
}

/// The page coordinate of a value along an axis.
fn along(axis: &FittedAxis, value: f64, area: &Rect, is_vertical: bool) -> f64 {
    let share = axis.scale.share(value).unwrap_or(0.0);
    if is_vertical { area.bottom() - share * area.h } else { area.x + share * area.w }
}

pub(super) fn draw_frame(panel: &Panel, cell: &Cell, style: &Style, scene: &mut Scene) {
    let pen = Stroke::solid(INK, style.frame);
    scene.data(meanings::axes(panel, &cell.fitted.frame), Path::rect(&cell.area), None, Some(pen));
}

/// Ticks and their labels.
pub(super) fn draw_ticks(cell: &Cell, style: &Style, scene: &mut Scene) {
    let area = cell.area;
    let long = style.tick_length();
    let x = &cell.fitted.x;
    let foot = area.bottom();
    for (value, length, width) in tick_marks(x, long) {
        let place = along(x, value, &area, false);
        let pen = Stroke::solid(x.colour, width * style.frame);
        scene.line(at(place, foot), at(place, foot + length), pen);
    }
    for (tick, label) in x.ticks.major.iter().zip(&x.labels) {
        let place = along(x, tick.value, &area, false);
        let y = foot + long + style.gap;
        if x.turned {
            scene.text(label, at(place, y), (1.0, 0.5), 90.0);
        } else {
            // The tops of digits align; superscripts stick out.
            let rise = label.body().y - label.area().y;
            scene.text(label, at(place, y + rise), (0.5, 0.0), 0.0);
        }
    }
    draw_vertical(&cell.fitted.y, area.x, -1.0, cell, style, scene);
    if let Some(right) = &cell.fitted.right {
        draw_vertical(right, area.right(), 1.0, cell, style, scene);
    }
}

/// Value, length and relative width of each tick: unlabelled ones first.
fn tick_marks(axis: &FittedAxis, long: f64) -> impl Iterator<Item = (f64, f64, f64)> {
    let minor = axis.ticks.minor.iter().map(move |value| (*value, 0.55 * long, 0.7));
    minor.chain(axis.ticks.major.iter().map(move |tick| (tick.value, long, 1.0)))
}

/// Ticks of a vertical axis at `x`, pointing to the left (`side` = −1) or right (1).
fn draw_vertical(axis: &FittedAxis, x: f64, side: f64, cell: &Cell, style: &Style, scene: &mut Scene) {
    let long = style.tick_length();
    for (value, length, width) in tick_marks(axis, long) {
        let y = along(axis, value, &cell.area, true);
        let pen = Stroke::solid(axis.colour, width * style.frame);
        scene.line(at(x, y), at(x + side * length, y), pen);
    }
    for (tick, label) in axis.ticks.major.iter().zip(&axis.labels) {
        let y = along(axis, tick.value, &cell.area, true);
        let anchor = if side < 0.0 { 1.0 } else { 0.0 };
        scene.text(label, at(x + side * (long + style.gap), y), (anchor, 0.5), 0.0);
    }
}

/// Titles of the axes. Those of one column are aligned, whatever the width of their tick labels.
pub(super) fn draw_titles(cell: &Cell, style: &Style, scene: &mut Scene) {
    let area = cell.area;
    let fitted = &cell.fitted;
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
        // At the far edge of the cell, so that titles of all rows align.
        let rise = title.body().y - title.area().y;
        scene.text(title, at(cell.outer.x + rise, area.centre().y), (0.5, 0.0), 90.0);
    }
    if let Some(title) = fitted.right.as_ref().and_then(|axis| axis.title.as_ref()) {
        let hang = title.area().bottom() - title.body().bottom();
        scene.text(title, at(cell.outer.right() - hang, area.centre().y), (0.5, 1.0), 90.0);
    }
}
