//! Draws a diagram across the page, from top to bottom.

use super::columns::{Columns, Span};
use super::lanes::Names;
use super::sketch::Sketch;
use super::{Diagram, forward, lanes};
use crate::plot::DrawError;
use crate::plot::figure::heading;
use crate::plot::style::{GRID, MUTED, Style};
use crate::scene::{Point, Scene, Stroke, at};
use crate::text::{Align, Typesetter};

/// The diagram with its upper left corner at a point, and its lower end.
pub(in crate::plot) fn draw(
    diagram: &Diagram,
    corner: Point,
    width: f64,
    style: &Style,
    setter: &Typesetter,
) -> Result<(Scene, f64), DrawError> {
    let page = Span { from: corner.x, to: corner.x + width };
    let mut ground = Scene::new(0.0, 0.0);
    let mut y = corner.y;
    if let Some(title) = heading(diagram.letter, diagram.title.as_deref()) {
        let label = setter.wrap(&title, &style.title_text(), width, Align::Left)?;
        let area = ground.text(&label, at(page.from, y + 0.2 * style.title), (0.0, 0.0), 0.0);
        y = area.bottom() + 1.5 * style.gap;
    }
    let names = Names::new(diagram, width, style, setter)?;
    let columns = Columns::new(&diagram.network, names.room(page, style), style, setter)?;
    let names = names.settled(diagram, page, &columns, style, setter)?;
    let mut sketch = Sketch { scene: Scene::new(0.0, 0.0), style, setter };
    let forward::Drawn { stream, below } = forward::draw(&diagram.network, &columns, y, &mut sketch)?;
    lanes::name_forward(diagram, names, page, stream, &mut sketch)?;
    for (_, x) in &columns.states {
        ground.line(at(*x, stream), at(*x, below), Stroke::solid(GRID, style.frame));
    }
    let foot = lanes::draw(diagram, names, page, &columns, below, &mut sketch)?;
    ground.items.extend(sketch.scene.items);
    ground.marks.extend(sketch.scene.marks);
    if diagram.key.is_empty() {
        return Ok((ground, foot));
    }
    let label = setter.wrap(&diagram.key, &style.note_text(MUTED), width, Align::Centre)?;
    let area = ground.text(&label, at(page.from + width / 2.0, foot + 0.3 * style.tick), (0.5, 0.0), 0.0);
    Ok((ground, area.bottom()))
}
