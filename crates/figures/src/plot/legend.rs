//! Legends: a sample of each series with its name, stacked inside a panel or in rows above panels.

use super::cells::Texture;
use super::element::{Element, Line};
use super::figure::Panel;
use super::marker::marker_ink;
use super::palette::{Dash, Look};
use super::shapes::bar_ink;
use super::style::{BORDER, INK, Style, WHITE};
use crate::scene::{Colour, Path, Rect, Role, Scene, Stroke, at};
use crate::text::{Label, TextError, Typesetter};
use std::sync::Arc;

/// The symbol before a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sample {
    Line { look: Look, weight: f64, marked: bool },
    Box { colour: Colour, published: bool },
    Guide { colour: Colour, dash: Dash },
    Spot { look: Look, firm: bool },
    Texture { texture: Texture, colour: Colour },
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct LegendEntry {
    pub(super) sample: Sample,
    pub(super) name: String,
}

/// Entries of a panel, in the order of its elements, each name once.
pub(super) fn entries(panel: &Panel) -> Vec<LegendEntry> {
    let mut found: Vec<LegendEntry> = Vec::new();
    for element in &panel.elements {
        let (key, sample) = match element {
            Element::Line(Line { key, look, weight, marked, .. }) => {
                (key.as_ref(), Sample::Line { look: *look, weight: *weight, marked: *marked })
            }
            Element::Band(band) => (band.key.as_ref(), Sample::Box { colour: band.colour, published: false }),
            Element::Bars(bars) => {
                (bars.key.as_ref(), Sample::Box { colour: bars.colour, published: bars.published })
            }
            Element::Spot(spot) => (spot.key.as_ref(), Sample::Spot { look: spot.look, firm: spot.at.firm }),
            Element::Strip(strip) => {
                for (texture, name) in [(Texture::Hatched, "unreliable"), (Texture::Crossed, "undefined")] {
                    let is_new = !found.iter().any(|entry| entry.name == name);
                    if is_new && strip.data.iter().any(|datum| Texture::of(datum) == texture) {
                        let sample = Sample::Texture { texture, colour: strip.shade.at(0.75) };
                        found.push(LegendEntry { sample, name: name.to_owned() });
                    }
                }
                continue;
            }
            Element::Key(key) => {
                let line = Sample::Guide { colour: key.colour, dash: key.dash };
                let look = |marker| Look { colour: key.colour, marker, dash: key.dash, hollow: false };
                let spot = |marker| Sample::Spot { look: look(marker), firm: true };
                (Some(&key.name), key.marker.map_or(line, spot))
            }
            _ => continue,
        };
        if let Some(name) = key.filter(|name| !found.iter().any(|entry| entry.name == **name)) {
            found.push(LegendEntry { sample, name: name.clone() });
        }
    }
    found
}

/// A typeset entry, positioned relative to the block's corner.
#[derive(Clone, Debug)]
struct Placed {
    sample: Sample,
    label: Arc<Label>,
    /// Its left edge.
    x: f64,
    /// The middle of its row.
    y: f64,
}

/// A typeset legend.
#[derive(Clone, Debug)]
pub(super) struct Block {
    rows: Vec<Placed>,
    pub(super) w: f64,
    pub(super) h: f64,
    framed: bool,
}

/// Length of a line's sample.
fn length(style: &Style) -> f64 {
    2.3 * style.tick
}

/// Distance between rows.
fn pitch(style: &Style) -> f64 {
    1.5 * style.tick
}

impl Block {
    /// Entries below one another, in a frame.
    pub(super) fn stacked(
        entries: &[LegendEntry],
        style: &Style,
        setter: &Typesetter,
    ) -> Result<Self, TextError> {
        let pad = 0.55 * style.tick;
        let before = pad + length(style) + 0.6 * style.tick;
        let mut rows = Vec::new();
        let mut w = 0.0f64;
        for (i, entry) in entries.iter().enumerate() {
            let label = setter.set(&entry.name, &style.tick_text(INK))?;
            w = w.max(before + label.area().w + pad);
            let y = pad + pitch(style) * (i as f64 + 0.5) - 0.1 * style.tick;
            rows.push(Placed { sample: entry.sample.clone(), label, x: pad, y });
        }
        let h = pitch(style) * entries.len() as f64 + 2.0 * pad - 0.2 * style.tick;
        Ok(Self { rows, w, h, framed: true })
    }

    /// In rows no wider than `width`, without a frame: in even columns if that takes no more rows, else each row centred.
    pub(super) fn flowing(
        entries: &[LegendEntry],
        width: f64,
        style: &Style,
        setter: &Typesetter,
    ) -> Result<Self, TextError> {
        let before = length(style) + 0.6 * style.tick;
        let between = 1.6 * style.tick;
        // Width used and entries, line by line.
        let mut lines: Vec<(f64, Vec<Placed>)> = Vec::new();
        for entry in entries {
            let label = setter.shorten(&entry.name, &style.tick_text(INK), width - before)?;
            let w = before + label.area().w;
            if lines.last().is_none_or(|(used, _)| used + between + w > width) {
                lines.push((-between, Vec::new()));
            }
            let y = pitch(style) * (lines.len() as f64 - 0.5);
            let (used, line) = lines.last_mut().expect("there is one by now");
            line.push(Placed { sample: entry.sample.clone(), label, x: *used + between, y });
            *used += between + w;
        }
        if let Some(even) = Self::in_columns(&lines, width, before, between, style) {
            return Ok(even);
        }
        let w = lines.iter().map(|line| line.0).fold(0.0, f64::max);
        let h = pitch(style) * lines.len() as f64;
        let centred = |(used, line): (f64, Vec<Placed>)| {
            line.into_iter().map(move |placed| Placed { x: placed.x + (w - used) / 2.0, ..placed })
        };
        let rows = lines.into_iter().flat_map(centred).collect();
        Ok(Self { rows, w, h, framed: false })
    }

    /// The entries of several lines in columns of one width each, from top to bottom; `None` if that needs more lines, or if
    /// there is one line only.
    fn in_columns(
        lines: &[(f64, Vec<Placed>)],
        width: f64,
        before: f64,
        between: f64,
        style: &Style,
    ) -> Option<Self> {
        let entries: Vec<&Placed> = lines.iter().flat_map(|line| &line.1).collect();
        let rows =
            (2..=lines.len()).find(|rows| Self::columns(&entries, *rows, before, between).1 <= width)?;
        let (starts, w) = Self::columns(&entries, rows, before, between);
        let place = |(i, entry): (usize, &&Placed)| {
            let y = pitch(style) * ((i % rows) as f64 + 0.5);
            Placed { x: starts[i / rows], y, ..(*entry).clone() }
        };
        let rows_of = entries.iter().enumerate().map(place).collect();
        Some(Self { rows: rows_of, w, h: pitch(style) * rows as f64, framed: false })
    }

    /// The starts of columns of so many rows, and their width together.
    fn columns(entries: &[&Placed], rows: usize, before: f64, between: f64) -> (Vec<f64>, f64) {
        let mut starts = Vec::new();
        let mut end = -between;
        for column in entries.chunks(rows) {
            starts.push(end + between);
            end += between + before + column.iter().map(|entry| entry.label.area().w).fold(0.0, f64::max);
        }
        (starts, end)
    }

    /// Draws the block with its corner at (x, y).
    pub(super) fn draw(&self, x: f64, y: f64, style: &Style, scene: &mut Scene) {
        let area = Rect::new(x, y, self.w, self.h);
        if self.framed {
            let path = Path::rounded(&area, 0.3 * style.tick);
            scene.path(path, Some(WHITE.faint(0.9)), Some(Stroke::solid(BORDER, 0.8 * style.frame)));
        }
        scene.mark(Role::Legend, area);
        for Placed { sample, label, x: left, y: middle } in &self.rows {
            let start = x + left;
            let end = start + length(style);
            draw_sample(sample, start, end, y + middle, style, scene);
            scene.text(label, at(end + 0.6 * style.tick, y + middle), (0.0, 0.5), 0.0);
        }
    }
}

fn draw_sample(sample: &Sample, start: f64, end: f64, y: f64, style: &Style, scene: &mut Scene) {
    let centre = at((start + end) / 2.0, y);
    match sample {
        Sample::Line { look, weight, marked } => {
            let width = weight * style.line;
            let stroke = Stroke { dash: look.dash.lengths(width), ..Stroke::solid(look.colour, width) };
            scene.line(at(start, y), at(end, y), stroke);
            if *marked {
                let (fill, pen) = marker_ink(look, style);
                scene.path(look.marker.outline(centre, style.marker), Some(fill), Some(pen));
            }
        }
        Sample::Box { colour, published } => {
            let h = 0.75 * style.tick;
            let area = Rect::new(start + 0.4 * (end - start), y - h / 2.0, 0.6 * (end - start), h);
            let (fill, pen) = bar_ink(*colour, *published);
            let dash = if *published { Dash::Dashed.lengths(style.frame) } else { Vec::new() };
            scene.path(
                Path::rect(&area),
                Some(fill),
                Some(Stroke { dash, ..Stroke::solid(pen, style.frame) }),
            );
        }
        Sample::Texture { texture, colour } => {
            let h = 1.05 * style.tick;
            let area = Rect::new(start, y - h / 2.0, end - start, h);
            scene.path(Path::rect(&area), Some(*colour), None);
            texture.draw(&area, style, scene);
            scene.path(Path::rect(&area), None, Some(Stroke::solid(BORDER, style.frame)));
        }
        Sample::Guide { colour, dash } => {
            let width = 1.3 * style.frame;
            let stroke = Stroke { dash: dash.lengths(width), ..Stroke::solid(*colour, width) };
            scene.line(at(start, y), at(end, y), stroke);
        }
        Sample::Spot { look, firm } => {
            let (fill, pen) = marker_ink(&look.hollow_unless(*firm), style);
            scene.path(look.marker.outline(centre, style.spot), Some(fill), Some(pen));
        }
    }
}
