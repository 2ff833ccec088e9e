//! Where the parts of a lane are: heights by the kind of its way, and the distances that all kinds keep.

use super::columns::Columns;
use super::sketch::Sketch;
use crate::plot::style::Style;
use record::route::Route;

/// The heights of a lane, below its top.
pub(super) struct Levels {
    /// Where the markers are.
    pub(super) credit: f64,
    /// Where boxes on the way from the bus are.
    pub(super) boxes: f64,
    /// Of the line that reaches all units.
    pub(super) bus: f64,
    /// Of the whole lane.
    pub(super) height: f64,
}

impl Levels {
    /// Those of a way.
    pub(super) fn of(route: Route, style: &Style) -> Self {
        let h = Sketch::box_height(style);
        let t = style.tick;
        let r = radius(style);
        match route {
            Route::Chain(_) | Route::Nudge => {
                Self { credit: h / 2.0, boxes: h / 2.0, bus: h / 2.0, height: h }
            }
            Route::Direct(..) | Route::Noise => {
                let boxes = 2.0 * r + 0.85 * t + h / 2.0;
                let bus = boxes + h / 2.0 + 0.5 * t;
                Self { credit: r, boxes, bus, height: bus + 0.4 * t }
            }
            Route::Net(_) => {
                let boxes = 2.0 * r + 0.4 * t + h / 2.0;
                let bus = boxes + h / 2.0 + 0.95 * t;
                Self { credit: r, boxes, bus, height: bus + 0.4 * t }
            }
            Route::Own => {
                let bus = 2.0 * r + 1.1 * t;
                Self { credit: r, boxes: bus, bus, height: bus + 0.4 * t }
            }
        }
    }
}

/// How far arrows stay from the middle of a marker, which covers the starts of lines.
pub(super) fn radius(style: &Style) -> f64 {
    0.6 * style.marker
}

/// The left end of a way.
pub(super) fn left_end(route: Route, columns: &Columns, style: &Style) -> f64 {
    let spring = if route == Route::Nudge { 2.6 * style.tick } else { style.marker };
    columns.first() - spring
}
