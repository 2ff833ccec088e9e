//! What diagrams are drawn with: lines, arrows, springs and labelled boxes.

use super::columns::Span;
use crate::plot::style::{INK, Style, WHITE};
use crate::plot::{Dash, Marker};
use crate::scene::{Colour, Meaning, Path, Point, Rect, Scene, Stroke, at};
use crate::text::{TextError, TextStyle, Typesetter};

/// A scene, and how to draw on it.
pub(super) struct Sketch<'a> {
    pub(super) scene: Scene,
    pub(super) style: &'a Style,
    pub(super) setter: &'a Typesetter,
}

/// Colour, dash and meaning of lines.
#[derive(Clone, Debug)]
pub(super) struct Pen {
    pub(super) colour: Colour,
    pub(super) width: f64,
    pub(super) dash: Dash,
    pub(super) meaning: Option<Meaning>,
}

/// The shape of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Single,
    /// For what learns.
    Double,
    /// For nets and noise.
    Round,
}

impl Pen {
    /// Of the same colour and meaning.
    pub(super) fn dashed(&self, dash: Dash) -> Self {
        Self { dash, ..self.clone() }
    }
}

impl Sketch<'_> {
    fn shape(&mut self, pen: &Pen, path: Path, fill: Option<Colour>, stroke: Option<Stroke>) {
        match &pen.meaning {
            Some(meaning) => self.scene.data(meaning.clone(), path, fill, stroke),
            None => self.scene.path(path, fill, stroke),
        }
    }

    /// Lines through points.
    pub(super) fn line(&mut self, points: &[Point], pen: &Pen) {
        let stroke = Stroke { dash: pen.dash.lengths(pen.width), ..Stroke::solid(pen.colour, pen.width) };
        self.shape(pen, Path::through(points), None, Some(stroke));
    }

    /// Lines through points with a head at the last one.
    pub(super) fn arrow(&mut self, points: &[Point], pen: &Pen) {
        let [.., before, tip] = points else { return };
        let length = (tip.x - before.x).hypot(tip.y - before.y).max(1e-9);
        let (ux, uy) = ((tip.x - before.x) / length, (tip.y - before.y) / length);
        let head = (0.6 * self.style.tick).min(length);
        let foot = at(tip.x - head * ux, tip.y - head * uy);
        let side = 0.38 * head;
        let mut shaft = points.to_vec();
        shaft.pop();
        shaft.push(foot);
        self.line(&shaft, pen);
        let corners =
            [*tip, at(foot.x - side * uy, foot.y + side * ux), at(foot.x + side * uy, foot.y - side * ux)];
        self.shape(pen, Path::around(&corners), Some(pen.colour), None);
    }

    /// A spring between two places of one height.
    pub(super) fn spring(&mut self, span: Span, y: f64, pen: &Pen) {
        let length = span.to - span.from;
        let lead = 0.16 * length;
        let half_turns = ((length - 2.0 * lead) / (0.5 * self.style.tick)).round().clamp(2.0, 12.0);
        let step = (length - 2.0 * lead) / half_turns;
        let mut points = vec![at(span.from, y), at(span.from + lead, y)];
        for i in 0..half_turns as usize {
            let side = if i % 2 == 0 { -1.0 } else { 1.0 };
            let x = span.from + lead + step * (i as f64 + 0.5);
            points.push(at(x, y + side * 0.32 * self.style.tick));
        }
        points.extend([at(span.to - lead, y), at(span.to, y)]);
        self.line(&points, pen);
    }

    /// Text with the middle of its capitals at a point; returns the box that it covers.
    pub(super) fn text(&mut self, source: &str, look: &TextStyle, middle: Point) -> Result<Rect, TextError> {
        let label = self.setter.set(source, look)?;
        Ok(self.scene.text(&label, middle, (0.5, 0.5), 0.0))
    }

    /// Height of a box around one line.
    pub(super) fn box_height(style: &Style) -> f64 {
        1.45 * style.tick
    }

    /// A box with a symbol; returns its outline.
    pub(super) fn glyph(
        &mut self,
        source: &str,
        frame: Frame,
        middle: Point,
        pen: &Pen,
    ) -> Result<Rect, TextError> {
        let look = self.style.tick_text(INK);
        let width = self.setter.set(source, &look)?.area().w + 0.7 * self.style.tick;
        let h = Self::box_height(self.style);
        let area = Rect::new(middle.x - width.max(h) / 2.0, middle.y - h / 2.0, width.max(h), h);
        let thin = Stroke::solid(pen.colour, 1.3 * self.style.frame);
        let corner = if frame == Frame::Round { h / 2.0 } else { 0.12 * h };
        let fill = Some(pen.colour.tinted(0.87));
        self.shape(pen, Path::rounded(&area, corner), fill, Some(thin));
        if frame == Frame::Double {
            let inner = area.grown(-2.1 * self.style.frame);
            self.shape(
                pen,
                Path::rect(&inner),
                None,
                Some(Stroke::solid(pen.colour, 0.8 * self.style.frame)),
            );
        }
        self.text(source, &look, middle)?;
        Ok(area)
    }

    /// A marker in the colour of the pen.
    pub(super) fn marker(&mut self, marker: Marker, middle: Point, pen: &Pen) {
        let size = self.style.marker;
        let edge = Stroke::solid(WHITE, 0.5 * self.style.frame);
        self.shape(pen, marker.outline(middle, size), Some(pen.colour), Some(edge));
    }
}
