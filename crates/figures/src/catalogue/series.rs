//! `series`: whatever the logs hold layer by layer, by name: at the end of training and, where it is asked for, over
//! epochs. Axes and names come from `record::series`; a series that it does not list is drawn under its own name.

use super::choose::Chosen;
use super::curves::measured;
use super::request::{CatalogueError, Drawing, Request};
use super::several::{self, Axes};
use super::{layers, meaning, plain};
use crate::plot::{Axis, Datum, Element, Figure, LegendPlace, Panel, Says, Spread};
use crate::reader::{EpochPoint, Trial, Variant};
use crate::scene::{Meaning, Tag};
use crate::text::escape;
use record::series::{At, Quantity, Scale, Series, find, in_order};
use record::{Measured, Unit, Why};
use std::collections::BTreeMap;

/// Layers that are shown over epochs, at most.
const MOST: usize = 5;

/// Draws it.
pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    let names = &request.series;
    let is_asked = |name: &String| names.is_empty() || names.contains(name);
    let holds = |trial: &Trial| trial.last().is_some_and(|epoch| epoch.series.keys().any(is_asked));
    let Some(chosen) = plain::chosen(request, holds) else {
        return Err(CatalogueError::nothing("series", "runs whose logs hold the series by layer", None));
    };
    let mut held: BTreeMap<String, Series> = BTreeMap::new();
    for epoch in chosen.trials().filter_map(Trial::last) {
        held.extend(epoch.series.clone());
    }
    let names = if names.is_empty() { in_order(&held) } else { names.iter().map(String::as_str).collect() };
    let mut notes = chosen.notes.clone();
    let mut sets: Vec<Vec<Panel>> = Vec::new();
    for name in names {
        match held.get(name) {
            Some(series) => sets.push(Shown::new(request, &chosen, name, series).set(&mut notes)?),
            None => notes.push(format!("no run of this setting holds `{name}`")),
        }
    }
    let most = sets.iter().map(Vec::len).max().unwrap_or(0);
    let columns = match most {
        1 => sets.len().min(3),
        4 => 2,
        _ => most.min(3),
    };
    // What is shown over epochs begins a row.
    let lined_up = |mut set: Vec<Panel>| {
        set.resize_with(if most > 1 { set.len().next_multiple_of(columns) } else { 1 }, Panel::blank);
        set
    };
    let unreliable = sets.iter().flatten().any(is_hollow);
    let mut figure = Figure::row(sets.into_iter().flat_map(lined_up).collect());
    (figure.columns, figure.aspect) = (columns, 0.8);
    figure.title = Some(plain::title(&chosen));
    let words = if unreliable { "; hollow or dotted: unreliable" } else { "" };
    let words = format!("by layer: after the last epoch{words}");
    let logs = figure.panels.iter().filter(|panel| !panel.is_blank()).map(|panel| panel.y.is_log());
    let axes = Axes { linear: logs.clone().any(|log| !log), log: logs.clone().any(|log| log) };
    let several = several::lines(request.spread(Spread::Seeds), axes);
    figure.foot = plain::foot(request, &chosen, several, Some(words));
    Ok(Drawing::of(figure, chosen.trials(), notes))
}

fn is_hollow(panel: &Panel) -> bool {
    let unreliable = |element: &Element| match element {
        Element::Line(line) => line.data.iter().any(|d| !d.firm && d.y.is_finite()),
        _ => false,
    };
    panel.elements.iter().any(unreliable)
}

/// A series and the trials that it is shown of.
struct Shown<'a> {
    request: &'a Request,
    chosen: &'a Chosen<'a>,
    name: &'a str,
    known: Option<&'static Quantity>,
    at: At,
    layers: usize,
}

impl<'a> Shown<'a> {
    fn new(request: &'a Request, chosen: &'a Chosen<'a>, name: &'a str, series: &Series) -> Self {
        let all = chosen.trials().filter_map(|trial| trial.last()?.series.get(name));
        let layers = all.map(|series| series.values.len()).max().unwrap_or(0);
        Self { request, chosen, name, known: find(name), at: series.at, layers }
    }

    /// Its panels: by layer, then over epochs where it is asked for by name.
    fn set(&self, notes: &mut Vec<String>) -> Result<Vec<Panel>, CatalogueError> {
        let mut panels = vec![self.by_layer()];
        let over_epochs = !self.request.series.is_empty();
        let shown = if over_epochs { spaced(self.layers) } else { Vec::new() };
        for &index in &shown {
            panels.push(self.over_epochs(index)?);
        }
        let left_out: Vec<String> =
            (0..self.layers).filter(|index| !shown.contains(index)).map(|index| self.place(index)).collect();
        if over_epochs && !left_out.is_empty() {
            notes.push(format!("{}: not shown over epochs: {}", self.name, left_out.join(", ")));
        }
        self.gaps(&shown, notes);
        // One range, so that the panels can be compared.
        let data = |element: &Element| match element {
            Element::Line(line) => line.data.iter().map(|d| d.y).collect(),
            Element::Band(band) => band.data.iter().flat_map(|d| [d.1, d.2]).collect(),
            _ => Vec::new(),
        };
        let values = || panels.iter().flat_map(|panel| &panel.elements).flat_map(data);
        let placed = || values().filter(|y| y.is_finite() && (!self.is_log() || *y > 0.0));
        let ends = [placed().fold(f64::INFINITY, f64::min), placed().fold(f64::NEG_INFINITY, f64::max)];
        panels.iter_mut().for_each(|panel| panel.y.includes.extend(ends));
        Ok(panels)
    }

    fn is_log(&self) -> bool {
        self.known.is_some_and(|known| known.scale == Scale::Log)
    }

    /// The name of a layer, as plain text.
    fn place(&self, index: usize) -> String {
        match self.at {
            At::State => format!("h_{index}"),
            At::Unit | At::BlockInput => Unit::at(self.at.unit(index)).to_string(),
        }
    }

    fn panel(&self, place: &str, title: &str, x: Axis) -> Panel {
        let own = escape(self.name);
        let label = self.known.map_or(own.as_str(), |known| known.label);
        let y = if self.is_log() { Axis::log(label) } else { Axis::linear(label) };
        let heading =
            self.known.map_or_else(|| own.clone(), |known| escape(&known.heading.replace('_', " ")));
        let mut panel =
            Panel::new(&format!("{}: {place}", self.name), x, y).titled(&format!("{heading} {title}"));
        panel.legend = LegendPlace::Figure;
        panel
    }

    fn by_layer(&self) -> Panel {
        let x = match self.at {
            At::State => Axis::layers("Layer $l$", Says::State),
            At::Unit => {
                let names = (0..self.layers).map(|index| self.place(index).replace("block ", ""));
                Axis { says: Says::Unit, ..Axis::categories("Unit: embedding, block $l$", names) }
            }
            At::BlockInput => Axis::layers("Block $l$", Says::Unit),
        };
        let mut panel = self.panel("by layer", "by layer", x);
        for (variant, trials) in self.chosen.plain() {
            let of = |trial: &&Trial| {
                let series = trial.last()?.series.get(self.name)?;
                Some((trial.seed, layers::data(series.values.iter().copied().map(Some))))
            };
            let seeds: Vec<(Option<u64>, Vec<Datum>)> = trials.iter().filter_map(of).collect();
            let name = self.request.name(variant);
            let look = self.request.look(&variant.rule);
            let meaning = meaning::rule(variant).of_series(self.name);
            let spread = self.request.spread(Spread::Seeds);
            for element in plain::by_layer(&name, &seeds, look, &meaning, self.is_log(), spread) {
                panel.add(element);
            }
        }
        panel
    }

    fn over_epochs(&self, index: usize) -> Result<Panel, CatalogueError> {
        let place = self.place(index);
        let (title, meaning) = match self.at {
            At::State => (format!("at $h_{{{index}}}$"), meaning::of_state(self.name, Some(index as u64))),
            _ => (format!("of {place}"), Meaning::of(self.name).with(Tag::Unit, &place)),
        };
        let mut panel = self.panel(&place, &title, Axis::epochs());
        for (variant, trials) in self.chosen.plain() {
            let read = |epoch: &EpochPoint| self.value(epoch, index);
            let spread = self.request.spread(Spread::Seeds);
            let name = self.request.name(variant);
            let look = self.request.look(&variant.rule);
            let drawn = measured(&meaning, &name, trials, look, self.is_log(), spread, read)?;
            drawn.into_iter().for_each(|element| panel.add(element));
        }
        let has_value = |element: &Element| match element {
            Element::Line(line) => line.data.iter().any(|d| !d.y.is_nan()),
            _ => false,
        };
        if !panel.elements.iter().any(has_value) {
            panel.absent = Some("no run has a number here".to_owned());
        }
        Ok(panel)
    }

    fn value(&self, epoch: &EpochPoint, index: usize) -> Option<Measured> {
        epoch.series.get(self.name)?.values.get(index).copied()
    }

    /// Says which rules lack the series, and where the values that it shows are undefined.
    fn gaps(&self, over_epochs: &[usize], notes: &mut Vec<String>) {
        let has = |trial: &&Trial| trial.last().is_some_and(|epoch| epoch.series.contains_key(self.name));
        let without =
            |(variant, trials): (&Variant, &[&Trial])| (!trials.iter().any(has)).then(|| variant.to_string());
        let lacking: Vec<String> = self.chosen.plain().filter_map(without).collect();
        if !lacking.is_empty() {
            notes.push(format!("{}: not in the logs of {}", self.name, lacking.join(", ")));
        }
        for (variant, trials) in self.chosen.plain() {
            let mut undefined: BTreeMap<Why, Vec<String>> = BTreeMap::new();
            for index in 0..self.layers {
                let shown: Vec<&EpochPoint> = if over_epochs.contains(&index) {
                    trials.iter().flat_map(|trial| &trial.epochs).collect()
                } else {
                    trials.iter().filter_map(|trial| trial.last()).collect()
                };
                let values: Vec<Measured> =
                    shown.iter().filter_map(|epoch| self.value(epoch, index)).collect();
                let mut counts: BTreeMap<Why, usize> = BTreeMap::new();
                for measured in values.iter().filter(|measured| measured.value().is_none()) {
                    measured.why().into_iter().for_each(|why| *counts.entry(why).or_default() += 1);
                }
                for (why, count) in counts {
                    let often = if count < values.len() {
                        format!(" ({count} of {} times)", values.len())
                    } else {
                        String::new()
                    };
                    undefined.entry(why).or_default().push(format!("{}{often}", self.place(index)));
                }
            }
            for (why, places) in undefined {
                let places = places.join(", ");
                notes.push(format!("{} of {variant} is undefined at {places}: {}", self.name, why.words()));
            }
        }
    }
}

/// The first, the last and evenly spaced ones between, at most [`MOST`] of `count`.
pub(super) fn spaced(count: usize) -> Vec<usize> {
    if count <= MOST {
        return (0..count).collect();
    }
    let steps = MOST - 1;
    (0..MOST).map(|i| (i * (count - 1) + steps / 2) / steps).collect()
}

#[cfg(test)]
mod tests {
    use super::spaced;

    #[test]
    fn the_first_and_the_last_layer_are_among_those_shown() {
        assert_eq!(spaced(0), [0; 0]);
        assert_eq!(spaced(5), [0, 1, 2, 3, 4]);
        assert_eq!(spaced(6), [0, 1, 3, 4, 5]);
        assert_eq!(spaced(13), [0, 3, 6, 9, 12]);
        for count in 6..40 {
            let shown = spaced(count);
            let steps: Vec<usize> = shown.windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert_eq!((shown.len(), shown[0], shown[4]), (5, 0, count - 1));
            assert!(steps.iter().max().unwrap() - steps.iter().min().unwrap() <= 1, "{shown:?}");
        }
    }
}
