//! Places the panels. The page width is given; the height follows from the content, so that nothing is cut off.

use super::axis::Axis;
use super::colour_bar::ColourBar;
use super::diagram;
use super::error::DrawError;
use super::figure::{Figure, Panel};
use super::fitted_axis;
use super::fitted_panel::{Fitted, Margins};
use super::height;
use super::legend::{Block, LegendEntry, Sample};
use super::style::{INK, MUTED, Style};
use crate::scene::{Rect, Scene, at};
use crate::text::{Align, Label, TextError, TextStyle, Typesetter};
use std::sync::Arc;

/// A panel with its position.
pub(super) struct Cell {
    pub(super) fitted: Fitted,
    /// The plot area.
    pub(super) area: Rect,
    /// The whole panel without its caption.
    pub(super) outer: Rect,
    /// The lower end of the titles in its row.
    pub(super) head: f64,
    pub(super) title: Option<Arc<Label>>,
    /// The caption and its box.
    pub(super) caption: Option<(Arc<Label>, Rect)>,
}

pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) cells: Vec<Cell>,
    /// Text around the panels: the middle of its box, and whether it is upright.
    pub(super) words: Vec<(Arc<Label>, f64, f64, bool)>,
    /// The legend of the whole figure and its corner.
    pub(super) legend: Option<(Block, f64, f64)>,
    /// The colour bars and their corners.
    pub(super) bars: Vec<(ColourBar, f64, f64)>,
    /// The diagram above the panels.
    pub(super) diagram: Option<Scene>,
}

/// Margin of the page.
const EDGE: f64 = 2.5;

/// Height of panels that stand below instead of beside one another, as a share of their width.
const STACKED: f64 = 0.62;

/// Panels of one width.
struct Grid {
    fitted: Vec<Fitted>,
    panels: Vec<Panel>,
    columns: usize,
    w: f64,
    h: f64,
    /// Between columns.
    gutter: f64,
    left: Vec<f64>,
    right: Vec<f64>,
}

/// The figure laid out at the height that the style asks for.
pub(super) fn lay_out(figure: &Figure, style: &Style, setter: &Typesetter) -> Result<Layout, DrawError> {
    height::fitted(figure.aspect, style, |aspect| with_aspect(figure, aspect, style, setter))
}

/// Lays the figure out with plot areas of this height as a share of their width.
fn with_aspect(
    figure: &Figure,
    aspect: f64,
    style: &Style,
    setter: &Typesetter,
) -> Result<Layout, DrawError> {
    let page = style.width - 2.0 * EDGE;
    let names = row_names(figure, aspect, page, style, setter)?;
    let names_width = names.iter().map(|n| n.area().h + 2.0 * style.gap).fold(0.0, f64::max);
    let grid = arrange(figure, aspect, page - names_width, style, setter)?;
    let mut page_words = Vec::new();
    let mut y = EDGE;
    if let Some(title) = &figure.title {
        let big = TextStyle { size: 1.1 * style.title, ..style.title_text() };
        let label = setter.wrap(title, &big, page, Align::Centre)?;
        let h = label.area().h;
        page_words.push((label, style.width / 2.0, y + h / 2.0, false));
        y += h + 2.0 * style.gap;
    }
    let entries = figure_entries(figure, &grid.fitted);
    let mut legend = None;
    let mut bars = Vec::new();
    let block = Block::flowing(&entries, page, style, setter)?;
    let all = ColourBar::all(figure, page, style, setter)?;
    let between = 2.0 * style.tick;
    // A short legend stands beside a single bar.
    let is_beside = all.len() == 1 && !entries.is_empty() && all[0].w + between + block.w <= page;
    for bar in all {
        let below = y + bar.h + 1.5 * style.gap;
        let w = if is_beside { bar.w + between + block.w } else { bar.w };
        let left = (style.width - w) / 2.0;
        if is_beside {
            let middle = bar.ramp_middle() - block.h / 2.0;
            legend = Some((block.clone(), left + bar.w + between, y + middle));
        }
        bars.push((bar, left, y));
        y = below;
    }
    if !entries.is_empty() && !is_beside {
        let left = (style.width - block.w) / 2.0;
        let below = y + block.h + style.gap;
        legend = Some((block, left, y));
        y = below;
    }
    let mut diagram = None;
    if let Some(drawn) = &figure.diagram {
        let (scene, below) = diagram::draw(drawn, at(EDGE, y), page, style, setter)?;
        diagram = Some(scene);
        y = if figure.panels.is_empty() { below } else { below + 0.8 * style.gutter };
    }
    let start = EDGE + names_width + ((page - names_width - grid.width()) / 2.0).max(0.0);
    let mut cells: Vec<Cell> = Vec::new();
    let rows = grid.fitted.len().div_ceil(grid.columns);
    for row in 0..rows {
        let members = grid.row(row, start, y, style, setter)?;
        let area = members[0].area;
        if let Some(name) = names.get(row) {
            page_words.push((name.clone(), EDGE + name.area().h / 2.0, area.centre().y, true));
        }
        let foot = |cell: &Cell| cell.caption.as_ref().map_or(cell.outer.bottom(), |c| c.1.bottom());
        y = members.iter().map(foot).fold(y, f64::max);
        y += if row + 1 < rows { 0.8 * style.gutter } else { 0.0 };
        cells.extend(members);
    }
    if let Some(foot) = &figure.foot {
        let label = setter.wrap(foot, &style.note_text(MUTED), page, Align::Centre)?;
        let h = label.area().h;
        y += 2.0 * style.gap;
        page_words.push((label, style.width / 2.0, y + h / 2.0, false));
        y += h;
    }
    Ok(Layout { width: style.width, height: y + EDGE, cells, words: page_words, legend, bars, diagram })
}

/// Names of rows, wrapped if longer than a row is likely to be high.
fn row_names(
    figure: &Figure,
    aspect: f64,
    page: f64,
    style: &Style,
    setter: &Typesetter,
) -> Result<Vec<Arc<Label>>, TextError> {
    let text = TextStyle { size: style.label, ..style.title_text() };
    let height = 0.72 * aspect * page / figure.columns as f64;
    figure.rows.iter().map(|row| setter.wrap(row, &text, height, Align::Centre)).collect()
}

impl Grid {
    fn width(&self) -> f64 {
        let margins: f64 = self.left.iter().chain(&self.right).sum();
        margins + self.w * self.columns as f64 + self.gutter * (self.columns - 1) as f64
    }

    /// The panels of a row, below `y`.
    fn row(
        &self,
        row: usize,
        start: f64,
        y: f64,
        style: &Style,
        setter: &Typesetter,
    ) -> Result<Vec<Cell>, TextError> {
        let pad = 0.8 * style.tick;
        let mut parts = Vec::new();
        for i in row * self.columns..((row + 1) * self.columns).min(self.fitted.len()) {
            let c = i % self.columns;
            let panel = &self.panels[i];
            let width = self.left[c] + self.w + self.right[c];
            let wrap_title = |text: &String| setter.wrap(text, &style.title_text(), width, Align::Left);
            let italic = TextStyle { italic: true, ..style.tick_text(INK) };
            let wrap_caption = |text: &String| setter.wrap(text, &italic, width - 2.0 * pad, Align::Centre);
            let title = panel.heading().as_ref().map(wrap_title).transpose()?;
            let caption = panel.caption.as_ref().map(wrap_caption).transpose()?;
            parts.push((c, &self.fitted[i], title, caption));
        }
        let most = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
        let height = |label: &Option<Arc<Label>>| label.as_ref().map_or(0.0, |l| l.area().h);
        let over = |title: &Option<Arc<Label>>| {
            if title.is_some() { height(title) + 1.5 * style.gap } else { 0.0 }
        };
        let under = |fitted: &Fitted| {
            fitted.margins.bottom + fitted.below.as_ref().map_or(0.0, |b| b.h + 1.5 * style.gap)
        };
        let ticks = most(parts.iter().map(|(_, fitted, ..)| fitted.margins.top).collect());
        let top = ticks + most(parts.iter().map(|(.., title, _)| over(title)).collect());
        let bottom = most(parts.iter().map(|(_, fitted, ..)| under(fitted)).collect());
        let boxed = most(parts.iter().map(|(.., caption)| height(caption) + 2.0 * pad).collect());
        let mut x = start;
        let mut cells = Vec::new();
        for (c, fitted, title, caption) in parts {
            let area = Rect::new(x + self.left[c], y + top, self.w, self.h);
            let outer = Rect::new(x, y, self.left[c] + self.w + self.right[c], top + self.h + bottom);
            let place = Rect::new(outer.x, outer.bottom() + 2.0 * style.gap, outer.w, boxed);
            let caption = caption.map(|label| (label, place));
            let head = area.y - ticks - 1.5 * style.gap;
            cells.push(Cell { fitted: fitted.clone(), area, outer, head, title, caption });
            x += outer.w + self.gutter;
        }
        Ok(cells)
    }
}

/// The widest panels that fit, in as many columns as keep them wide enough.
fn arrange(
    figure: &Figure,
    aspect: f64,
    page: f64,
    style: &Style,
    setter: &Typesetter,
) -> Result<Grid, DrawError> {
    let count = figure.panels.len();
    let mut columns = figure.columns.min(count).max(1);
    loop {
        let mut grid = with_columns(figure, shared(figure, columns), aspect, columns, page, style, setter);
        if !figure.reflows && grid.is_err() && is_headed(figure) {
            let panels = unlabelled(shared(figure, columns));
            grid = with_columns(figure, panels, aspect, columns, page, style, setter);
        }
        let is_wide = grid.as_ref().is_ok_and(|grid| grid.w >= style.narrowest);
        let may_stay = columns <= figure.fewest && grid.is_ok();
        if is_wide || may_stay || columns == 1 || !figure.reflows {
            return grid;
        }
        // As even as the next number of rows allows.
        columns = count.div_ceil(count.div_ceil(columns) + 1).min(columns - 1);
    }
}

/// Arranges the panels in so many columns. Margins depend on the size of the plot area and vice versa, so both are
/// iterated; after a few turns the area may only shrink, which ends the search.
fn with_columns(
    figure: &Figure,
    panels: Vec<Panel>,
    aspect: f64,
    columns: usize,
    page: f64,
    style: &Style,
    setter: &Typesetter,
) -> Result<Grid, DrawError> {
    const FREE_TURNS: usize = 4;
    // Nothing is printed between panels of a shared vertical axis.
    let gutter = if figure.shares_y { 0.5 } else { 1.0 } * style.gutter;
    let between = gutter * (columns - 1) as f64;
    let widest = figure.widest * page;
    let mut w = (0.7 * (page - between) / columns as f64).min(widest);
    let heights = panels.iter().map(|panel| fitted_axis::least_height(panel, style, setter));
    let least = heights.collect::<Result<Vec<f64>, _>>()?.into_iter().fold(0.0, f64::max);
    for turn in 0.. {
        // A narrower axis is unreadable.
        if w < 5.0 * style.tick {
            break;
        }
        // Panels in fewer columns are wider, and need not be as much higher.
        let tallest =
            if columns < figure.columns { (STACKED * w).max(style.narrowest) } else { f64::INFINITY };
        let h = (aspect * w).min(tallest).max(least);
        let fit = |panel: &Panel| Fitted::new(panel, w, h, style, setter);
        let fitted: Vec<Fitted> = panels.iter().map(fit).collect::<Result<_, _>>()?;
        let by_column = |side: fn(&Margins) -> f64| -> Vec<f64> {
            let column = |c| fitted.iter().skip(c).step_by(columns).map(|f| side(&f.margins));
            (0..columns).map(|c| column(c).fold(0.0, f64::max)).collect()
        };
        let left = by_column(|margins| margins.left);
        let right = by_column(|margins| margins.right);
        let margins: f64 = left.iter().chain(&right).sum();
        let room = ((page - between - margins) / columns as f64).min(widest);
        if room >= w && (room - w < 0.05 || turn > FREE_TURNS) {
            return Ok(Grid { fitted, panels, columns, w, h, gutter, left, right });
        }
        w = if turn < FREE_TURNS { room } else { room.min(0.99 * w) };
    }
    Err(DrawError::narrow(style))
}

/// Whether every column has a title that says what its panels show.
fn is_headed(figure: &Figure) -> bool {
    figure.panels.iter().take(figure.columns).all(|panel| panel.title.is_some())
}

/// The panels without titles of their vertical axes, for which the page is too narrow.
fn unlabelled(mut panels: Vec<Panel>) -> Vec<Panel> {
    panels.iter_mut().for_each(|panel| panel.y.label = None);
    panels
}

/// The panels; a shared horizontal axis is printed once per column, a vertical one once per row.
fn shared(figure: &Figure, columns: usize) -> Vec<Panel> {
    let mut panels = figure.panels.clone();
    let count = panels.len();
    let untitled = |axis: &mut Axis| (axis.label, axis.labelled) = (None, false);
    if figure.shares_x {
        panels.iter_mut().take(count.saturating_sub(columns)).for_each(|panel| untitled(&mut panel.x));
    }
    if figure.shares_y {
        let inner = panels.iter_mut().enumerate().filter(|(i, _)| i % columns > 0);
        inner.for_each(|(_, panel)| untitled(&mut panel.y));
    }
    panels
}

fn figure_entries(figure: &Figure, fitted: &[Fitted]) -> Vec<LegendEntry> {
    let all = || figure.panels.iter().zip(fitted).flat_map(|(panel, fitted)| fitted.for_figure(panel));
    let is_spot = |entry: &&LegendEntry| matches!(entry.sample, Sample::Spot { .. });
    let mut entries: Vec<LegendEntry> = Vec::new();
    // A line's sample shows more than that of a spot of the same name.
    for entry in all().filter(|entry| !is_spot(entry)).chain(all().filter(is_spot)) {
        if !entries.iter().any(|e| e.name == entry.name) {
            entries.push(entry.clone());
        }
    }
    entries
}
