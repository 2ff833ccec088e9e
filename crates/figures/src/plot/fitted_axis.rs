//! Fits axes to a panel of a given size: ranges, ticks, and the labels that have room.

use super::axis::{Axis, AxisKind};
use super::element::Element;
use super::figure::Panel;
use super::scale::{Scale, Spacing};
use super::style::{INK, MUTED, Style};
use super::ticks::{Tick, Ticks};
use crate::scene::Colour;
use crate::text::{Align, Label, TextError, TextStyle, Typesetter};
use std::sync::Arc;

/// An axis with everything printed along it.
#[derive(Clone, Debug)]
pub(super) struct FittedAxis {
    pub(super) scale: Scale,
    pub(super) ticks: Ticks,
    /// One per labelled tick; none if another panel prints them.
    pub(super) labels: Vec<Arc<Label>>,
    /// Whether the labels of a horizontal axis are rotated.
    pub(super) turned: bool,
    pub(super) title: Option<Arc<Label>>,
    /// Colour of ticks and text.
    pub(super) colour: Colour,
    /// Extent of the tick labels away from the axis.
    pub(super) depth: f64,
}

/// Which axis of a panel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Bottom,
    Left,
    Right,
}

impl Panel {
    /// The values along its horizontal axis, or along the vertical one.
    pub(crate) fn values(&self, across: bool) -> Vec<f64> {
        values(self, if across { Side::Bottom } else { Side::Left })
    }
}

/// Values of the panel's elements that an axis must cover.
fn values(panel: &Panel, side: Side) -> Vec<f64> {
    let mut all = Vec::new();
    let across = side == Side::Bottom;
    for element in &panel.elements {
        match element {
            Element::Line(line) if across || line.right == (side == Side::Right) => {
                all.extend(line.data.iter().map(|d| if across { d.x } else { d.y }));
            }
            Element::Band(band) if across => all.extend(band.data.iter().map(|d| d.0)),
            Element::Band(band) if side == Side::Left => {
                all.extend(band.data.iter().flat_map(|d| [d.1, d.2]));
            }
            Element::Bars(bars) if across => {
                all.extend(bars.bars.iter().flat_map(|b| [b.x - bars.width / 2.0, b.x + bars.width / 2.0]));
            }
            Element::Bars(bars) if side == Side::Left => {
                let ends = |b: &super::element::Bar| {
                    let (low, high) = b.error.map_or((b.y, b.y), |e| (e.low, e.high));
                    [b.base, b.y, low, high]
                };
                all.extend(bars.bars.iter().flat_map(ends));
                all.extend(bars.bars.iter().flat_map(|b| b.points.iter().map(|(_, value)| *value)));
            }
            Element::Strip(strip) if across => {
                all.extend(strip.edges().into_iter().flat_map(|(from, to)| [from, to]));
            }
            Element::Strip(strip) if side == Side::Left => all.extend(strip.sides()),
            Element::Spot(spot) if side != Side::Right => {
                let (v, error) = if across { (spot.at.x, spot.error.0) } else { (spot.at.y, spot.error.1) };
                all.extend([v].into_iter().chain(error.into_iter().flat_map(|e| [e.low, e.high])));
            }
            Element::Guide(guide) if guide.vertical == across && guide.right == (side == Side::Right) => {
                all.push(guide.at);
            }
            Element::Region(region) if side != Side::Right => {
                let (from, to) = if across { region.x } else { region.y };
                all.extend([from, to]);
            }
            _ => {}
        }
    }
    all
}

/// The scale of a side of the panel.
pub(super) fn scale(panel: &Panel, axis: &Axis, side: Side) -> Scale {
    let scale = Scale::of(axis, values(panel, side));
    // Without negative values, bars start at the edge of the panel.
    let has_bars = |e: &Element| matches!(e, Element::Bars(bars) if bars.bars.iter().any(|b| b.base == 0.0));
    let grounded =
        side == Side::Left && scale.spacing == Spacing::Even && panel.elements.iter().any(has_bars);
    let negative = values(panel, side).iter().chain(&axis.includes).any(|v| *v < 0.0);
    if grounded && !negative { Scale { low: 0.0, ..scale } } else { scale }
}

/// Fits an axis along a side of `length`.
pub(super) fn axis(
    axis: &Axis,
    scale: Scale,
    side: Side,
    length: f64,
    style: &Style,
    setter: &Typesetter,
) -> Result<FittedAxis, TextError> {
    let colour = if side == Side::Right { MUTED } else { INK };
    let text = style.tick_text(colour);
    let across = side == Side::Bottom;
    let set = |tick: &Tick| setter.set(&tick.text, &text);
    let fits = |ticks: &[Tick]| {
        let boxes: Result<Vec<(f64, f64)>, TextError> = ticks
            .iter()
            .map(|tick| {
                let area = set(tick)?.area();
                let extent = if across { area.w } else { area.h };
                let share = scale.share(tick.value).unwrap_or(0.0);
                Ok((share * length - extent / 2.0, share * length + extent / 2.0))
            })
            .collect();
        let space = if across { 0.9 * style.tick } else { 0.55 * style.tick };
        boxes.is_ok_and(|boxes| boxes.windows(2).all(|w| w[0].1 + space <= w[1].0))
    };
    let most = (length / (if across { 2.6 } else { 1.9 } * style.tick)) as usize;
    let ticks = Ticks::fitting(axis, &scale, most, length / scale.span(), fits);
    let title_width = if across { length + 4.0 * style.label } else { length };
    let wrap = |source: &String| setter.wrap(source, &style.label_text(colour), title_width, Align::Centre);
    let title = axis.label.as_ref().map(wrap).transpose()?;
    let mut fitted =
        FittedAxis { scale, ticks, labels: Vec::new(), turned: false, title, colour, depth: 0.0 };
    if !axis.labelled {
        return Ok(fitted);
    }
    let given = axis.ticks.is_some() || matches!(axis.kind, AxisKind::Categories(_));
    if across && given && !fits(&fitted.ticks.major) {
        narrow(&mut fitted, length, style, setter)?;
    } else if !across && given {
        let label = |tick: &Tick| beside(&tick.text, colour, style, setter);
        fitted.labels = fitted.ticks.major.iter().map(label).collect::<Result<_, _>>()?;
    } else {
        fitted.labels = fitted.ticks.major.iter().map(set).collect::<Result<_, _>>()?;
    }
    let extent = |label: &Arc<Label>| {
        let area = label.area();
        if across != fitted.turned { area.h } else { area.w }
    };
    fitted.depth = fitted.labels.iter().map(extent).fold(0.0, f64::max);
    Ok(fitted)
}

/// Fits names that are too wide below a horizontal axis: wrapped, or rotated if that is not enough.
fn narrow(fitted: &mut FittedAxis, length: f64, style: &Style, setter: &Typesetter) -> Result<(), TextError> {
    const LINES: f64 = 3.5;
    let text = style.tick_text(fitted.colour);
    let places: Vec<f64> =
        fitted.ticks.major.iter().map(|t| fitted.scale.share(t.value).unwrap_or(0.0) * length).collect();
    let apart = places.windows(2).map(|w| w[1] - w[0]).fold(length, f64::min);
    let slot = apart - 0.5 * style.tick;
    // A word may be a little wider than its slot if its neighbours are not.
    let wrap = |tick: &Tick| {
        let width = widest_word(&tick.text, &text, setter)?.max(slot);
        setter.wrap(&tick.text, &text, width, Align::Centre)
    };
    fitted.labels = fitted.ticks.major.iter().map(wrap).collect::<Result<_, _>>()?;
    let ends =
        |(label, place): (&Arc<Label>, &f64)| (place - label.area().w / 2.0, place + label.area().w / 2.0);
    let boxes: Vec<(f64, f64)> = fitted.labels.iter().zip(&places).map(ends).collect();
    let are_apart = boxes.windows(2).all(|pair| pair[0].1 + 0.45 * style.tick <= pair[1].0);
    if are_apart && fitted.labels.iter().all(|label| label.area().h <= LINES * 1.3 * style.tick) {
        return Ok(());
    }
    fitted.turned = true;
    let stride = ((1.25 * style.tick) / apart).ceil().max(1.0) as usize;
    // If there are more names than lines of text fit, only every second, third, … is printed.
    let thinned: Vec<Tick> = fitted.ticks.major.iter().step_by(stride).cloned().collect();
    fitted.ticks.major = thinned;
    let cut = |tick: &Tick| setter.shorten(&tick.text.replace('\n', " "), &text, 13.0 * style.tick);
    fitted.labels = fitted.ticks.major.iter().map(cut).collect::<Result<_, _>>()?;
    Ok(())
}

/// The width of the widest piece that cannot be broken.
pub(super) fn widest_word(source: &str, style: &TextStyle, setter: &Typesetter) -> Result<f64, TextError> {
    // Spaces within a formula are no line breaks.
    let mut in_math = false;
    let spaced: String = source
        .chars()
        .map(|c| {
            in_math ^= c == '$';
            if c.is_whitespace() && in_math { '\u{a0}' } else { c }
        })
        .collect();
    let width = |word: &str| Ok(setter.set(&word.replace('\u{a0}', " "), style)?.area().w);
    spaced
        .split(|c: char| c.is_whitespace() && c != '\u{a0}')
        .filter(|word| !word.is_empty())
        .map(width)
        .try_fold(0.0, |widest: f64, w| Ok(widest.max(w?)))
}

/// A name along a vertical axis, wrapped.
fn beside(name: &str, colour: Colour, style: &Style, setter: &Typesetter) -> Result<Arc<Label>, TextError> {
    setter.wrap(name, &style.tick_text(colour), 14.0 * style.tick, Align::Left)
}

/// The height at which the names along a panel's vertical axes do not touch.
pub(super) fn least_height(panel: &Panel, style: &Style, setter: &Typesetter) -> Result<f64, TextError> {
    let mut least = 0.0f64;
    for axis in std::iter::once(&panel.y).chain(panel.right.as_ref()) {
        if let AxisKind::Categories(names) = &axis.kind {
            for name in names {
                let height = beside(name, INK, style, setter)?.area().h.max(1.2 * style.tick * axis.lines);
                least = least.max((height + 0.6 * style.tick) * names.len() as f64);
            }
        }
    }
    Ok(least)
}
