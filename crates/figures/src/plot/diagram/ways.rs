//! The way of a rule's credit, drawn along the columns of the forward path.

use super::Lane;
use super::columns::{Cell, Columns, Span};
use super::levels::{Levels, left_end, radius};
use super::sketch::{Frame, Pen, Sketch};
use crate::plot::Dash;
use crate::plot::style::{INK, MUTED};
use crate::scene::{Meaning, Rect, Tag, at};
use crate::text::TextError;
use record::Unit;
use record::route::{Carrier, Predicted, Route, Source};

/// Draws the way of a lane whose top is at `top`.
pub(super) fn draw(
    panel: &str,
    lane: &Lane,
    columns: &Columns,
    top: f64,
    sketch: &mut Sketch<'_>,
) -> Result<(), TextError> {
    let way = Way { panel, lane, columns, top, levels: Levels::of(lane.route, sketch.style) };
    match lane.route {
        Route::Chain(carrier) => way.chain(carrier, sketch)?,
        Route::Direct(source, carrier) => way.direct(source, carrier, sketch)?,
        Route::Net(predicted) => way.net(predicted, sketch)?,
        Route::Nudge => way.nudge(sketch)?,
        Route::Noise => way.noise(sketch)?,
        Route::Own => way.own(sketch)?,
    }
    way.markers(sketch);
    Ok(())
}

struct Way<'a> {
    panel: &'a str,
    lane: &'a Lane,
    columns: &'a Columns,
    top: f64,
    levels: Levels,
}

impl Way<'_> {
    fn pen(&self, sketch: &Sketch<'_>) -> Pen {
        let meaning = self.meaning("way");
        let colour = self.lane.look.colour;
        Pen { colour, width: sketch.style.line, dash: Dash::Solid, meaning: Some(meaning) }
    }

    fn meaning(&self, kind: &str) -> Meaning {
        Meaning::default().with(Tag::Panel, self.panel).with(Tag::Kind, kind).with(Tag::Rule, &self.lane.rule)
    }

    fn credit(&self) -> f64 {
        self.top + self.levels.credit
    }

    fn boxes(&self) -> f64 {
        self.top + self.levels.boxes
    }

    fn bus(&self) -> f64 {
        self.top + self.levels.bus
    }

    /// Where a signal starts.
    fn start(&self, symbol: &str, span: Span, y: f64, sketch: &mut Sketch<'_>) -> Result<Rect, TextError> {
        sketch.text(symbol, &sketch.style.tick_text(INK), at(span.middle(), y))
    }

    /// From a symbol below the head to the credit at h_L.
    fn start_at_the_top(&self, symbol: &str, sketch: &mut Sketch<'_>) -> Result<(), TextError> {
        let y = self.credit();
        let symbol = self.start(symbol, self.columns.head, y, sketch)?;
        let r = radius(sketch.style);
        let from = at(symbol.x - 0.3 * sketch.style.tick, y);
        sketch.arrow(&[from, at(self.columns.last() + r, y)], &self.pen(sketch));
        Ok(())
    }

    fn chain(&self, carrier: Carrier, sketch: &mut Sketch<'_>) -> Result<(), TextError> {
        let pen = self.pen(sketch);
        let y = self.credit();
        let r = radius(sketch.style);
        self.start_at_the_top("$p_L$", sketch)?;
        for (cell, span) in self.columns.between() {
            let middle = at(span.middle(), y);
            let area = match (cell, carrier) {
                (Cell::Gap, _) => dots(span, y, sketch)?,
                (_, Carrier::Weights) => sketch.glyph("$W^\\top$", Frame::Single, middle, &pen)?,
                (Cell::Block(l), Carrier::Fixed) => {
                    sketch.glyph(&format!("$B_{{{l}}}$"), Frame::Single, middle, &pen)?
                }
                (_, Carrier::Signs) => sketch.glyph("$\\mathrm{sgn}$", Frame::Single, middle, &pen)?,
                (_, Carrier::Learned) => sketch.glyph("$R^\\top$", Frame::Double, middle, &pen)?,
            };
            sketch.line(&[at(span.to, y), at(area.right(), y)], &pen);
            sketch.arrow(&[at(area.x, y), at(span.from + r, y)], &pen);
        }
        Ok(())
    }

    fn direct(&self, source: Source, carrier: Carrier, sketch: &mut Sketch<'_>) -> Result<(), TextError> {
        let symbol = if source == Source::Error { "$e_T$" } else { "$-y$" };
        let frame = if carrier == Carrier::Learned { Frame::Double } else { Frame::Single };
        let first = usize::from(self.columns.states.len() > 1);
        let matrix = |l: usize| format!("$B_{{{}}}$", l.saturating_sub(1));
        self.start_at_the_bus(symbol, first, Some((&matrix, frame)), sketch)?;
        self.shared(sketch)
    }

    fn noise(&self, sketch: &mut Sketch<'_>) -> Result<(), TextError> {
        let noise = |l: usize| format!("$\\xi_{{{l}}}$");
        self.start_at_the_bus("$\\Delta\\mathcal{L}$", 0, Some((&noise, Frame::Round)), sketch)
    }

    /// A line below all units, and from it an arrow to each from the `first` on, through a box if there is one.
    fn start_at_the_bus(
        &self,
        symbol: &str,
        first: usize,
        through: Option<(&dyn Fn(usize) -> String, Frame)>,
        sketch: &mut Sketch<'_>,
    ) -> Result<(), TextError> {
        let pen = self.pen(sketch);
        let symbol = self.start(symbol, self.columns.loss, self.bus(), sketch)?;
        let end = self.columns.states[first].1;
        sketch.line(&[at(symbol.x - 0.3 * sketch.style.tick, self.bus()), at(end, self.bus())], &pen);
        for &(l, x) in &self.columns.states[first..] {
            let tip = at(x, self.credit() + radius(sketch.style));
            let Some((symbol, frame)) = through else {
                sketch.arrow(&[at(x, self.bus()), tip], &pen);
                continue;
            };
            let area = sketch.glyph(&symbol(l), frame, at(x, self.boxes()), &pen)?;
            sketch.line(&[at(x, self.bus()), at(x, area.bottom())], &pen);
            sketch.arrow(&[at(x, area.y), tip], &pen);
        }
        self.gap(sketch)
    }

    fn gap(&self, sketch: &mut Sketch<'_>) -> Result<(), TextError> {
        for (_, span) in self.columns.between().filter(|(cell, _)| *cell == Cell::Gap) {
            dots(span, self.boxes(), sketch)?;
        }
        Ok(())
    }

    /// The embedding is given what block 0 is.
    fn shared(&self, sketch: &mut Sketch<'_>) -> Result<(), TextError> {
        let Some((_, span)) = self.columns.between().next() else { return Ok(()) };
        let pen = self.pen(sketch).dashed(Dash::Dotted);
        let y = self.credit();
        let r = radius(sketch.style);
        let equal = sketch.text("$=$", &sketch.style.tick_text(MUTED), at(span.middle(), y))?;
        sketch.line(&[at(span.to, y), at(equal.right() + 1.0, y)], &pen);
        sketch.arrow(&[at(equal.x - 1.0, y), at(span.from + r, y)], &pen);
        Ok(())
    }

    fn net(&self, predicted: Predicted, sketch: &mut Sketch<'_>) -> Result<(), TextError> {
        let pen = self.pen(sketch);
        let t = sketch.style.tick;
        let (symbol, span) = if self.lane.reads_gradient {
            ("$p_L$", self.columns.head)
        } else {
            ("$e_T$", self.columns.loss)
        };
        let symbol = self.start(symbol, span, self.bus(), sketch)?;
        let name = if predicted == Predicted::State { "$G$" } else { "$V$" };
        let mut end = None;
        for ((cell, span), (l, _)) in self.columns.between().zip(&self.columns.states) {
            let tip = at(span.to, self.credit() + radius(sketch.style));
            if cell == Cell::Gap {
                let dots = dots(span, self.boxes(), sketch)?;
                sketch.arrow(&[at(dots.right(), self.boxes()), at(span.to, self.boxes()), tip], &pen);
                continue;
            }
            let state = sketch.setter.set(&format!("$h_{{{l}}}$"), &sketch.style.tick_text(INK))?;
            let read = sketch.scene.text(&state, at(span.from + 0.5 * t, self.boxes()), (0.0, 0.5), 0.0);
            let room = Span { from: read.right(), to: span.to };
            let middle = at(room.middle(), self.boxes());
            let area = sketch.glyph(name, Frame::Round, middle, &pen)?;
            sketch.arrow(&[at(read.right() + 0.15 * t, middle.y), at(area.x, middle.y)], &pen);
            sketch.arrow(&[at(area.right(), middle.y), at(span.to, middle.y), tip], &pen);
            sketch.arrow(&[at(middle.x, self.bus()), at(middle.x, area.bottom())], &pen);
            end = end.or(Some(middle.x));
        }
        if let Some(end) = end {
            sketch.line(&[at(symbol.x - 0.3 * t, self.bus()), at(end, self.bus())], &pen);
        }
        self.shared(sketch)
    }

    /// States on springs: the nudge pulls at the last one, and the input holds the first.
    fn nudge(&self, sketch: &mut Sketch<'_>) -> Result<(), TextError> {
        let pen = self.pen(sketch);
        let y = self.credit();
        let t = sketch.style.tick;
        self.start_at_the_top("$\\beta p_L$", sketch)?;
        let wall = left_end(Route::Nudge, self.columns, sketch.style);
        sketch.line(&[at(wall, y - 0.5 * t), at(wall, y + 0.5 * t)], &pen);
        sketch.spring(Span { from: wall, to: self.columns.first() }, y, &pen);
        for (cell, span) in self.columns.between() {
            if cell == Cell::Gap {
                let dots = dots(span, y, sketch)?;
                sketch.spring(Span { to: dots.x, ..span }, y, &pen);
                sketch.spring(Span { from: dots.right(), ..span }, y, &pen);
            } else {
                sketch.spring(span, y, &pen);
            }
        }
        Ok(())
    }

    fn own(&self, sketch: &mut Sketch<'_>) -> Result<(), TextError> {
        let pen = self.pen(sketch).dashed(Dash::Dashed);
        let label = sketch.setter.set("own code", &sketch.style.tick_text(INK))?;
        let right = self.columns.loss.to;
        let area = sketch.scene.text(&label, at(right, self.bus()), (1.0, 0.5), 0.0);
        let (bus, tip) = (self.bus(), self.credit() + radius(sketch.style));
        let end = self.columns.first();
        sketch.line(&[at(area.x - 0.3 * sketch.style.tick, bus), at(end, bus)], &pen);
        for &(_, x) in &self.columns.states {
            sketch.arrow(&[at(x, bus), at(x, tip)], &self.pen(sketch));
        }
        Ok(())
    }

    /// The credit of each unit at its output.
    fn markers(&self, sketch: &mut Sketch<'_>) {
        for &(l, x) in &self.columns.states {
            let meaning = self.meaning("credit").with(Tag::Unit, Unit::at(l));
            let pen = Pen { meaning: Some(meaning), ..self.pen(sketch) };
            sketch.marker(self.lane.look.marker, at(x, self.credit()), &pen);
        }
    }
}

/// Marks blocks that are not shown.
fn dots(span: Span, y: f64, sketch: &mut Sketch<'_>) -> Result<Rect, TextError> {
    let area = sketch.text("$\\cdots$", &sketch.style.tick_text(MUTED), at(span.middle(), y))?;
    Ok(area.grown(0.2 * sketch.style.tick))
}
