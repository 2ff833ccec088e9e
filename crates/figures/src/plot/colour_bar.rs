//! The bar that says which colour stands for which value.

use super::element::Element;
use super::figure::Figure;
use super::fitted_axis::{self, FittedAxis, Side};
use super::strip::Shade;
use super::style::{INK, Style};
use crate::scene::{Path, Rect, Role, Scene, Stroke, at};
use crate::text::{Label, TextError, Typesetter};
use std::sync::Arc;

/// Boxes that the ramp is drawn with.
const BOXES: usize = 96;

/// A typeset colour bar: its title, then the ramp above its ticks.
#[derive(Clone, Debug)]
pub(super) struct ColourBar {
    shade: Shade,
    axis: FittedAxis,
    title: Arc<Label>,
    /// The ramp, relative to the bar's corner.
    ramp: Rect,
    pub(super) w: f64,
    pub(super) h: f64,
}

impl ColourBar {
    /// A bar for each way in which the figure's values become colours.
    pub(super) fn all(
        figure: &Figure,
        width: f64,
        style: &Style,
        setter: &Typesetter,
    ) -> Result<Vec<Self>, TextError> {
        let mut shades: Vec<&Shade> = Vec::new();
        for element in figure.panels.iter().flat_map(|panel| &panel.elements) {
            if let Element::Strip(strip) = element
                && !shades.contains(&&strip.shade)
            {
                shades.push(&strip.shade);
            }
        }
        shades.into_iter().map(|shade| Self::new(shade, width, style, setter)).collect()
    }

    fn new(shade: &Shade, width: f64, style: &Style, setter: &Typesetter) -> Result<Self, TextError> {
        let text = shade.axis.label.as_deref().unwrap_or_default();
        let title = setter.shorten(text, &style.label_text(INK), 0.5 * width)?;
        let indent = title.area().w + style.tick;
        let length = (20.0 * style.tick).min(width - indent - 3.0 * style.tick);
        let axis = fitted_axis::axis(&shade.axis, shade.scale(), Side::Bottom, length, style, setter)?;
        // Labels of the outermost ticks stick out.
        let over = axis.labels.iter().map(|label| label.area().w / 2.0).fold(0.0, f64::max);
        // As far down as a line of the legend needs.
        let ramp = Rect::new(indent, 0.3 * style.tick, length, 0.95 * style.tick);
        let h = ramp.bottom() + 0.6 * style.tick_length() + 0.7 * style.gap + axis.depth;
        Ok(Self { shade: shade.clone(), axis, title, ramp, w: indent + length + over, h })
    }

    /// How far below its upper edge the middle of the ramp is.
    pub(super) fn ramp_middle(&self) -> f64 {
        self.ramp.centre().y
    }

    /// Draws it with its corner at (x, y).
    pub(super) fn draw(&self, x: f64, y: f64, style: &Style, scene: &mut Scene) {
        let ramp = Rect { x: x + self.ramp.x, y: y + self.ramp.y, ..self.ramp };
        scene.mark(Role::Legend, Rect::new(x, y, self.w, self.h));
        scene.text(&self.title, at(x, ramp.centre().y), (0.0, 0.5), 0.0);
        for i in 0..BOXES {
            let from = i as f64 / BOXES as f64;
            // Each box reaches to the end, below those that follow.
            let area = Rect { x: ramp.x + from * ramp.w, w: (1.0 - from) * ramp.w, ..ramp };
            scene.path(Path::rect(&area), Some(self.shade.at(i as f64 / (BOXES - 1) as f64)), None);
        }
        let pen = Stroke::solid(INK, style.frame);
        scene.path(Path::rect(&ramp), None, Some(pen.clone()));
        let long = 0.6 * style.tick_length();
        for (tick, label) in self.axis.ticks.major.iter().zip(&self.axis.labels) {
            let place = ramp.x + self.axis.scale.share(tick.value).unwrap_or(0.0) * ramp.w;
            scene.line(at(place, ramp.bottom()), at(place, ramp.bottom() + long), pen.clone());
            let rise = label.body().y - label.area().y;
            scene.text(label, at(place, ramp.bottom() + long + 0.7 * style.gap + rise), (0.5, 0.0), 0.0);
        }
    }
}
