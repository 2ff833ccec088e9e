//! The forward path: a stream from the input to the loss, and the branches of the blocks below it.

use super::columns::{Cell, Columns, Span};
use super::sketch::{Pen, Sketch};
use super::{Network, Part};
use crate::plot::Dash;
use crate::plot::style::{INK, MUTED, PAPER, WHITE};
use crate::scene::{Path, Point, Rect, Stroke, at};
use crate::text::TextError;

/// Where a forward path is.
pub(super) struct Drawn {
    /// The height of its stream.
    pub(super) stream: f64,
    /// Its lower end.
    pub(super) below: f64,
}

/// Draws the forward path below `top`.
pub(super) fn draw(
    network: &Network,
    columns: &Columns,
    top: f64,
    sketch: &mut Sketch<'_>,
) -> Result<Drawn, TextError> {
    let style = sketch.style;
    let tick = style.tick;
    let pen = Pen { colour: INK, width: 0.9 * style.line, dash: Dash::Solid, meaning: None };
    let tall = |parts: &[Part]| pitch(tick) * parts.len() as f64 + 0.5 * tick;
    let stream = top + (tall(&network.embed) / 2.0).max(tall(&network.head) / 2.0).max(1.4 * tick);
    let roof = stream + 0.7 * tick;
    let shown = columns.cells.iter().filter_map(|cell| match cell {
        Cell::Block(l) => Some(tall(&network.blocks[*l].parts)),
        Cell::Gap => None,
    });
    // At least as high as the embedding, and as the label below the loss.
    let height = shown.fold((tall(&network.embed) / 2.0).max(1.8 * tick), f64::max);
    let below = roof + height + 0.95 * tick;

    // Input, embedding, head and loss lie on the stream.
    let input = sketch.text("$x$", &style.tick_text(INK), at(columns.input, stream))?;
    let on_stream = |span: Span, parts: &[Part]| {
        let h = tall(parts);
        Rect::new(span.from, stream - h / 2.0, span.to - span.from, h)
    };
    let embed = on_stream(columns.embed, &network.embed);
    let head = on_stream(columns.head, &network.head);
    let radius = 0.85 * tick;
    let loss = at(columns.loss.middle(), stream);
    sketch.arrow(&[at(input.right() + 0.2 * tick, stream), at(embed.x, stream)], &pen);
    sketch.arrow(&[at(columns.last(), stream), at(head.x, stream)], &pen);
    sketch.arrow(&[at(head.right(), stream), at(loss.x - radius, stream)], &pen);
    sketch.line(&[at(embed.right(), stream), at(columns.first(), stream)], &pen);
    boxed(&network.embed, &embed, sketch)?;
    boxed(&network.head, &head, sketch)?;
    let frame = Stroke::solid(INK, style.frame);
    sketch.scene.path(Path::circle(loss, radius), Some(PAPER), Some(frame));
    sketch.text("$\\mathcal{L}$", &style.tick_text(INK), loss)?;
    let label = sketch.text("$y$", &style.tick_text(INK), at(loss.x, stream + 2.15 * tick))?;
    sketch.arrow(&[at(loss.x, label.y - 0.1 * tick), at(loss.x, stream + radius)], &pen);

    for (cell, span) in columns.between() {
        let Cell::Block(l) = cell else {
            let dots = sketch.text("$\\cdots$", &style.tick_text(INK), at(span.middle(), stream))?;
            sketch.line(&[at(span.from, stream), at(dots.x - 0.3 * tick, stream)], &pen);
            sketch.line(&[at(dots.right() + 0.3 * tick, stream), at(span.to, stream)], &pen);
            continue;
        };
        let block = &network.blocks[l];
        let width = span.to - span.from - 2.0 * columns.margin;
        let area = Rect::new(span.from + columns.margin, roof, width, tall(&block.parts));
        let (down, up) = (span.from + 0.36 * columns.margin, span.to - 0.36 * columns.margin);
        let middle = area.centre().y;
        if block.skip {
            sketch.line(&[at(span.from, stream), at(span.to, stream)], &pen);
            let sum = 0.3 * tick;
            sketch.arrow(&[at(down, stream), at(down, middle), at(area.x, middle)], &pen);
            sketch.line(&[at(area.right(), middle), at(up, middle), at(up, stream + sum)], &pen);
            plus(at(up, stream), sum, &pen, sketch);
        } else {
            sketch.arrow(
                &[at(span.from, stream), at(down, stream), at(down, middle), at(area.x, middle)],
                &pen,
            );
            sketch
                .line(&[at(area.right(), middle), at(up, middle), at(up, stream), at(span.to, stream)], &pen);
        }
        boxed(&block.parts, &area, sketch)?;
        sketch.text(&format!("block {l}"), &style.note_text(MUTED), at(span.middle(), below))?;
    }
    for &(l, x) in &columns.states {
        sketch.text(&format!("$h_{{{l}}}$"), &style.tick_text(INK), at(x, stream - 0.95 * tick))?;
    }
    for (span, name) in [(columns.embed, "embed"), (columns.head, "head"), (columns.loss, "loss")] {
        sketch.text(name, &style.note_text(MUTED), at(span.middle(), below))?;
    }
    Ok(Drawn { stream, below: below + 0.6 * tick })
}

/// Distance of the lines in a box.
fn pitch(tick: f64) -> f64 {
    1.12 * tick
}

/// A box with its parts, the first on top.
fn boxed(parts: &[Part], area: &Rect, sketch: &mut Sketch<'_>) -> Result<(), TextError> {
    let frame = Stroke::solid(INK, sketch.style.frame);
    sketch.scene.path(Path::rounded(area, 0.2 * sketch.style.tick), Some(PAPER), Some(frame));
    let step = pitch(sketch.style.tick);
    let first = area.centre().y - step * (parts.len() as f64 - 1.0) / 2.0;
    for (i, part) in parts.iter().enumerate() {
        let look = sketch.style.value_text();
        sketch.text(&part.label, &look, at(area.centre().x, first + step * i as f64))?;
    }
    Ok(())
}

/// A sum: a circle with a cross.
fn plus(middle: Point, radius: f64, pen: &Pen, sketch: &mut Sketch<'_>) {
    let thin = Stroke::solid(pen.colour, sketch.style.frame);
    sketch.scene.path(Path::circle(middle, radius), Some(WHITE), Some(thin.clone()));
    let arm = 0.62 * radius;
    sketch.scene.line(at(middle.x - arm, middle.y), at(middle.x + arm, middle.y), thin.clone());
    sketch.scene.line(at(middle.x, middle.y - arm), at(middle.x, middle.y + arm), thin);
}
