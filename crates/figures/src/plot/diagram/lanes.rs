//! Lanes below one another, each with the name of its rule beside it, or above it where the page is narrow.

use super::columns::{Columns, Span};
use super::levels::{Levels, left_end};
use super::sketch::Sketch;
use super::ways;
use super::{Diagram, Lane};
use crate::plot::palette::Look;
use crate::plot::style::{GRID, INK, MUTED, Style, WHITE};
use crate::scene::{Point, Rect, Stroke, at};
use crate::text::{Align, Label, TextError, TextStyle, Typesetter, escape};
use std::sync::Arc;

/// The name of the forward path.
const FORWARD: &str = "Forward path";

/// Where names are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    /// Their width.
    width: f64,
    place: Place,
}

/// Where a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In a column of its own.
    Beside,
    /// On the lane, left of the first state.
    Inside,
    /// Above its lane.
    Above,
}

impl Names {
    /// Room for the names of a diagram on a page of this width.
    pub(super) fn new(
        diagram: &Diagram,
        width: f64,
        style: &Style,
        setter: &Typesetter,
    ) -> Result<Self, TextError> {
        // Names beside the lanes need room for both.
        if width < 40.0 * style.tick {
            return Ok(Self { width, place: Place::Above });
        }
        let share = if diagram.explained { 0.27 } else { 0.2 };
        let names = diagram.lanes.iter().map(|lane| lane.name.as_str()).chain([FORWARD]);
        let names = names.map(|name| Ok(setter.set(name, &bold(style))?.area().w));
        let longest = names.collect::<Result<Vec<f64>, TextError>>()?.into_iter().fold(0.0, f64::max);
        let needed = if diagram.explained { width } else { longest + indent(style) + 0.5 * style.tick };
        Ok(Self { width: needed.min(share * width), place: Place::Beside })
    }

    /// The same, inside the lanes where that is better than above them: if every word has room there.
    pub(super) fn settled(
        self,
        diagram: &Diagram,
        page: Span,
        columns: &Columns,
        style: &Style,
        setter: &Typesetter,
    ) -> Result<Self, TextError> {
        if self.place == Place::Beside || diagram.explained {
            return Ok(self);
        }
        for lane in &diagram.lanes {
            let room = inside(lane, page, columns, style);
            for word in lane.name.split_whitespace() {
                if setter.set(word, &bold(style))?.area().w > room {
                    return Ok(self);
                }
            }
        }
        Ok(Self { place: Place::Inside, ..self })
    }

    /// The rest of the page.
    pub(super) fn room(&self, page: Span, style: &Style) -> Span {
        if self.place == Place::Beside {
            Span { from: page.from + self.width + style.tick, ..page }
        } else {
            page
        }
    }
}

fn bold(style: &Style) -> TextStyle {
    style.name_text(INK)
}

/// The marker before a name.
fn indent(style: &Style) -> f64 {
    style.marker + 0.6 * style.tick
}

/// Room for the name of a lane left of what it draws.
fn inside(lane: &Lane, page: Span, columns: &Columns, style: &Style) -> f64 {
    left_end(lane.route, columns, style) - page.from - indent(style) - 0.4 * style.tick
}

/// Draws all lanes below `top`; returns their lower end.
pub(super) fn draw(
    diagram: &Diagram,
    names: Names,
    page: Span,
    columns: &Columns,
    top: f64,
    sketch: &mut Sketch<'_>,
) -> Result<f64, TextError> {
    let gap = if diagram.explained { 0.75 } else { 0.53 } * sketch.style.tick;
    let mut y = top;
    let thin = Stroke::solid(GRID, sketch.style.frame);
    for lane in &diagram.lanes {
        sketch.scene.line(at(page.from, y), at(page.to, y), thin.clone());
        let border = y;
        y += gap;
        let said = diagram.explained.then(|| lane.route.words());
        let room = match names.place {
            Place::Inside => inside(lane, page, columns, sketch.style),
            Place::Beside | Place::Above => names.width - indent(sketch.style),
        };
        let words = Words::new(&lane.name, said.as_deref(), room, names.place, sketch)?;
        let way = Levels::of(lane.route, sketch.style).height;
        let (guides, start, end) = if names.place != Place::Above {
            let height = way.max(words.height);
            words.draw(Some(lane.look), at(page.from, y + (height - words.height) / 2.0), sketch);
            (border, y + (height - way) / 2.0, y + height)
        } else {
            words.draw(Some(lane.look), at(page.from, y), sketch);
            let start = y + words.height + 0.6 * sketch.style.tick;
            (start - 0.4 * sketch.style.tick, start, start + way)
        };
        // From each state down to the credit that acts there.
        for (_, x) in &columns.states {
            sketch.scene.line(at(*x, guides), at(*x, end + gap), thin.clone());
        }
        ways::draw(&diagram.name, lane, columns, start, sketch)?;
        y = end + gap;
    }
    Ok(y)
}

/// The name of a rule and the words about its way.
struct Words {
    name: Arc<Label>,
    words: Option<Arc<Label>>,
    /// Whether the words follow the name on its line.
    follow: bool,
    height: f64,
}

impl Words {
    fn new(
        name: &str,
        said: Option<&str>,
        room: f64,
        place: Place,
        sketch: &Sketch<'_>,
    ) -> Result<Self, TextError> {
        let Sketch { style, setter, .. } = sketch;
        let name = match place {
            Place::Beside | Place::Inside => setter.wrap(name, &bold(style), room, Align::Left)?,
            Place::Above => setter.shorten(name, &bold(style), room)?,
        };
        let Some(said) = said.map(escape) else {
            return Ok(Self { height: name.body().h, name, words: None, follow: false });
        };
        let small = style.note_text(MUTED);
        let rest = room - name.area().w - style.tick;
        let follow = place == Place::Above && setter.set(&said, &small)?.area().w <= rest;
        let words = setter.wrap(&said, &small, if follow { rest } else { room }, Align::Left)?;
        let height = if follow { name.body().h } else { name.body().h + style.gap + words.body().h };
        Ok(Self { name, words: Some(words), follow, height })
    }

    /// Draws them with their upper left corner at a point, below the marker of a rule.
    fn draw(&self, look: Option<Look>, corner: Point, sketch: &mut Sketch<'_>) {
        let style = sketch.style;
        let body = self.name.body().h;
        let left = corner.x + indent(style);
        if let Some(look) = look {
            let sample = at(corner.x + 0.7 * style.marker, corner.y + body / 2.0);
            let edge = Stroke::solid(WHITE, 0.5 * style.frame);
            sketch.scene.path(look.marker.outline(sample, style.marker), Some(look.colour), Some(edge));
        }
        let name: Rect = sketch.scene.text(&self.name, at(left, corner.y), (0.0, 0.0), 0.0);
        if let Some(words) = &self.words {
            let place = if self.follow {
                at(name.right() + style.tick, corner.y + body - words.body().h)
            } else {
                at(left, corner.y + body + style.gap)
            };
            sketch.scene.text(words, place, (0.0, 0.0), 0.0);
        }
    }
}

/// Names the forward path beside it, where there is room.
pub(super) fn name_forward(
    diagram: &Diagram,
    names: Names,
    page: Span,
    stream: f64,
    sketch: &mut Sketch<'_>,
) -> Result<(), TextError> {
    if names.place != Place::Beside {
        return Ok(());
    }
    let said = diagram.explained.then(|| diagram.network.words());
    let words =
        Words::new(FORWARD, said.as_deref(), names.width - indent(sketch.style), names.place, sketch)?;
    words.draw(None, at(page.from, stream - words.name.body().h / 2.0), sketch);
    Ok(())
}
