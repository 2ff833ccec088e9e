//! A panel fitted to a plot area of a given size: its axes, its text, and the margins that it needs.

use super::figure::{LegendPlace, Panel};
use super::fitted_axis::{self, FittedAxis, Side};
use super::frame::Frame;
use super::legend::{Block, LegendEntry};
use super::range::with_room_for_values;
use super::style::{MUTED, Style};
use super::words::{self, Words};
use crate::scene::Rect;
use crate::text::{Align, Label, TextError, Typesetter};
use std::sync::Arc;

/// Room around the plot area.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Margins {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// A panel whose plot area has its corner at (0, 0).
#[derive(Clone, Debug)]
pub(super) struct Fitted {
    pub(super) frame: Frame,
    pub(super) x: FittedAxis,
    pub(super) y: FittedAxis,
    pub(super) right: Option<FittedAxis>,
    pub(super) words: Words,
    /// The legend, if it has no room inside.
    pub(super) below: Option<Block>,
    /// Why there is nothing to show.
    pub(super) absent: Option<Arc<Label>>,
    /// For ticks, labels and axis titles, without the panel's title.
    pub(super) margins: Margins,
}

impl Fitted {
    pub(super) fn new(
        panel: &Panel,
        w: f64,
        h: f64,
        style: &Style,
        setter: &Typesetter,
    ) -> Result<Self, TextError> {
        let area = Rect::new(0.0, 0.0, w, h);
        let vertical = |axis, side| fitted_axis::scale(panel, axis, side);
        let y_scale = with_room_for_values(panel, vertical(&panel.y, Side::Left), w, h, style, setter)?;
        let x = fitted_axis::axis(
            &panel.x,
            fitted_axis::scale(panel, &panel.x, Side::Bottom),
            Side::Bottom,
            w,
            style,
            setter,
        )?;
        let y = fitted_axis::axis(&panel.y, y_scale, Side::Left, h, style, setter)?;
        let right = panel
            .right
            .as_ref()
            .map(|axis| fitted_axis::axis(axis, vertical(axis, Side::Right), Side::Right, h, style, setter))
            .transpose()?;
        let frame = Frame { area, x: x.scale, y: y.scale, right: right.as_ref().map(|axis| axis.scale) };
        let absent = panel
            .absent
            .as_ref()
            .map(|why| setter.wrap(why, &style.note_text(MUTED), w - 2.0 * style.tick, Align::Centre))
            .transpose()?;
        let words = if panel.absent.is_some() || panel.picture.is_some() {
            Words::default()
        } else {
            words::place(panel, &frame, style, setter)?
        };
        let mut fitted = Self { frame, x, y, right, words, below: None, absent, margins: Margins::default() };
        if panel.picture.is_none() {
            fitted.margins = fitted.room(panel, style);
        }
        if panel.legend == LegendPlace::Auto && !fitted.words.outside.is_empty() {
            let width = w + fitted.margins.left + fitted.margins.right;
            fitted.below = Some(Block::flowing(&fitted.words.outside, width, style, setter)?);
        }
        Ok(fitted)
    }

    /// Entries for the legend of the whole figure.
    pub(super) fn for_figure(&self, panel: &Panel) -> &[LegendEntry] {
        if panel.legend == LegendPlace::Figure { &self.words.outside } else { &[] }
    }

    fn room(&self, panel: &Panel, style: &Style) -> Margins {
        let area = self.frame.area;
        let beside = |axis: &FittedAxis| {
            let title = axis.title.as_ref().map_or(0.0, |title| 1.3 * style.gap + title.area().h);
            // A panel that shows nothing has no ticks.
            if panel.absent.is_some() {
                return title;
            }
            style.tick_length() + if axis.depth > 0.0 { style.gap + axis.depth } else { 0.0 } + title
        };
        let mut margins = Margins {
            left: beside(&self.y),
            right: self.right.as_ref().map_or(0.0, beside),
            top: 0.0,
            bottom: beside(&self.x),
        };
        let mut widen = |left: f64, right: f64| {
            margins.left = margins.left.max(left);
            margins.right = margins.right.max(right);
        };
        for (tick, label) in self.x.ticks.major.iter().zip(&self.x.labels) {
            let size = label.area();
            let half = if self.x.turned { size.h } else { size.w } / 2.0;
            let x = self.frame.x(tick.value).unwrap_or(0.0);
            widen(half - x, x + half - area.w);
        }
        if let Some(title) = &self.x.title {
            let over = (title.area().w - area.w) / 2.0;
            widen(over, over);
        }
        for axis in std::iter::once(&self.y).chain(self.right.as_ref()) {
            for (tick, label) in axis.ticks.major.iter().zip(&axis.labels) {
                let y = area.bottom() - axis.scale.share(tick.value).unwrap_or(0.0) * area.h;
                margins.top = margins.top.max(label.area().h / 2.0 - y);
                margins.bottom = margins.bottom.max(y + label.area().h / 2.0 - area.bottom());
            }
        }
        margins
    }
}
