//! Draws a figure as a scene.

use super::cells;
use super::draw_axes;
use super::error::DrawError;
use super::figure::{Figure, Panel};
use super::layout::{self, Cell};
use super::marker;
use super::shapes;
use super::style::{BORDER, PAPER, Style, VOID, WHITE};
use crate::scene::{Affine, Artwork, Ground, Item, Path, Point, Rect, Role, Scene, Stroke, at};
use crate::text::Typesetter;

impl Figure {
    /// Lays the figure out and draws it.
    pub fn draw(&self, style: &Style, setter: &Typesetter) -> Result<Scene, DrawError> {
        let bare;
        let figure = if style.bare {
            bare = self.bare();
            &bare
        } else {
            self
        };
        let layout = layout::lay_out(figure, style, setter)?;
        let mut scene = Scene::new(layout.width, layout.height);
        if let Some(diagram) = layout.diagram {
            scene.items.extend(diagram.items);
            scene.marks.extend(diagram.marks);
        }
        for (i, (cell, panel)) in layout.cells.iter().zip(&figure.panels).enumerate() {
            draw_panel(i, panel, cell, style, &mut scene);
        }
        for (bar, x, y) in &layout.bars {
            bar.draw(*x, *y, style, &mut scene);
        }
        if let Some((block, x, y)) = &layout.legend {
            block.draw(*x, *y, style, &mut scene);
        }
        for (label, x, y, upright) in &layout.words {
            write(&mut scene, label, at(*x, *y), *upright);
        }
        scene.svg_text = style.svg_text;
        Ok(scene.on(style.ground))
    }
}

/// Writes a label with the middle of its ink at a point.
fn write(scene: &mut Scene, label: &std::sync::Arc<crate::text::Label>, centre: Point, upright: bool) {
    // The scene anchors labels at the body, not at the ink.
    let off = label.area().centre().y - label.body().centre().y;
    let shift = label.area().centre().x - label.body().centre().x;
    let place =
        if upright { at(centre.x - off, centre.y + shift) } else { at(centre.x - shift, centre.y - off) };
    scene.text(label, place, (0.5, 0.5), if upright { 90.0 } else { 0.0 });
}

fn draw_panel(index: usize, panel: &Panel, cell: &Cell, style: &Style, scene: &mut Scene) {
    if panel.is_blank() {
        return;
    }
    let area = cell.area;
    scene.mark(Role::Panel(index), area);
    if let Some(title) = &cell.title {
        let size = title.area();
        // Baselines align, whatever hangs below them.
        let hang = size.bottom() - title.body().bottom();
        let middle = cell.head + hang - size.h / 2.0;
        write(scene, title, at(cell.outer.x + size.w / 2.0, middle), false);
    }
    if let Some(picture) = &panel.picture {
        let (w, h) = picture.size();
        // The picture may fill the whole cell, but keeps its aspect ratio.
        let room = Rect::new(cell.outer.x, area.y, cell.outer.w, area.h);
        let k = (room.w / w).min(room.h / h);
        let place = Rect::new(room.centre().x - k * w / 2.0, room.centre().y - k * h / 2.0, k * w, k * h);
        if style.ground == Ground::Dark {
            // An image of the user is made for white paper and keeps its colours.
            scene.items.push(Artwork::sheet(&place));
        }
        scene.items.extend(picture.place(place));
        scene.mark(Role::Image, place);
    } else if let Some(why) = &cell.fitted.absent {
        scene.path(Path::rect(&area), Some(VOID), Some(Stroke::solid(BORDER, style.frame)));
        write(scene, why, area.centre(), false);
        draw_axes::draw_titles(cell, style, scene);
    } else {
        draw_plot(panel, cell, style, scene);
    }
    if let Some((label, place)) = &cell.caption {
        let frame = Path::rounded(place, 0.45 * style.tick);
        scene.path(frame, Some(PAPER), Some(Stroke::solid(BORDER, style.frame)));
        write(scene, label, place.centre(), false);
    }
}

fn draw_plot(panel: &Panel, cell: &Cell, style: &Style, scene: &mut Scene) {
    let fitted = &cell.fitted;
    let frame = super::frame::Frame { area: cell.area, ..fitted.frame };
    let mut inner = Scene::new(scene.width, scene.height);
    shapes::regions(panel, &frame, &mut inner);
    draw_axes::draw_grid(panel, cell, style, &mut inner);
    cells::draw(panel, &frame, style, &mut inner);
    shapes::grounds(panel, &frame, style, &mut inner);
    shapes::lines(panel, &frame, style, &mut inner);
    scene.items.push(Item::Clipped { area: cell.area, items: inner.items });
    scene.marks.extend(inner.marks);
    draw_axes::draw_frame(panel, cell, style, scene);
    marker::markers(panel, &frame, style, scene);
    draw_axes::draw_titles(cell, style, scene);
    draw_axes::draw_ticks(cell, style, scene);
    let corner = Affine::shift(cell.area.x, cell.area.y);
    for (from, to) in &fitted.words.leaders {
        shapes::leader(corner.apply(*from), corner.apply(*to), style, scene);
    }
    if let Some((place, block)) = &fitted.words.inside {
        let place = corner.apply(*place);
        block.draw(place.x, place.y, style, scene);
    }
    for halo in &fitted.words.halos {
        scene.path(Path::rect(&corner.cover(halo)), Some(WHITE.faint(0.85)), None);
    }
    for word in &fitted.words.words {
        write(scene, &word.label, corner.apply(word.centre), word.upright);
    }
    if let Some(block) = &fitted.below {
        let x = cell.outer.x + ((cell.outer.w - block.w) / 2.0).max(0.0);
        let y = cell.area.bottom() + fitted.margins.bottom + 1.5 * style.gap;
        block.draw(x, y, style, scene);
    }
}
