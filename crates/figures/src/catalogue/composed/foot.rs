//! The foot of a composed figure: seeds, how several are drawn, what hollow and other marks say.

use super::spec::{Aggregate, Along, Kind, Panel};
use crate::catalogue::choose::Chosen;
use crate::catalogue::request::{PUBLISHED_MARK, set};
use crate::catalogue::several::{self, Axes};
use crate::catalogue::{PublishedAccuracies, Request, layers};
use crate::plot::{Element, Spread};

/// What the panels have that needs words.
#[derive(Default)]
pub(super) struct Marks {
    /// What several seeds become, but for lines.
    several: Vec<String>,
    /// Axes of lines with bands, and of lines by layer.
    lines: Axes,
    by_layer: Axes,
    /// Hollow markers, dotted lines, rings.
    hollow: bool,
    dotted: bool,
    ringed: bool,
}

impl Marks {
    /// Takes account of a panel.
    pub(super) fn note(&mut self, spec: &Panel, spread: Spread, elements: &[Element]) {
        let log = spec.is_log();
        let axes = match (spec.kind, &spec.x, spec.aggregate) {
            (Kind::Line, Along::Layer, Aggregate::Mean) => Some(&mut self.by_layer),
            (Kind::Line, _, Aggregate::Mean) => Some(&mut self.lines),
            _ => None,
        };
        if let Some(axes) = axes {
            (axes.linear, axes.log) = (axes.linear || !log, axes.log || log);
        }
        let several = match (spec.kind, spec.aggregate) {
            (Kind::Bars, _) => several::bars(spread),
            (_, Aggregate::Seeds) => "each seed by itself".to_owned(),
            (_, Aggregate::Median) => "median over seeds".to_owned(),
            (_, Aggregate::Least) => "least over seeds".to_owned(),
            (_, Aggregate::Largest) => "largest over seeds".to_owned(),
            (Kind::Line, Aggregate::Mean) => String::new(),
            (Kind::Heat, Aggregate::Mean) if log => "colours: geometric mean over seeds".to_owned(),
            (Kind::Heat, Aggregate::Mean) => "colours: mean over seeds".to_owned(),
            (Kind::Scatter, Aggregate::Mean) => several::markers(spread),
        };
        if !several.is_empty() && !self.several.contains(&several) {
            self.several.push(several);
        }
        for element in elements {
            match element {
                Element::Line(line) => {
                    let values = || line.data.iter().filter(|d| d.y.is_finite());
                    let doubtful = values().any(|d| !d.firm);
                    let dense = line.marked && !line.sparse;
                    self.hollow |= doubtful && line.marked;
                    // Thin lines of seeds are explained by the markers on their mean.
                    self.dotted |= doubtful && !dense && spec.x != Along::Layer;
                    self.ringed |= values().any(|d| d.inert);
                }
                Element::Spot(spot) => self.hollow |= !spot.at.firm,
                _ => {}
            }
        }
    }

    /// The foot in words.
    pub(super) fn foot(
        &self,
        request: &Request,
        chosen: &[&Chosen<'_>],
        spread: Spread,
        published: Option<&PublishedAccuracies>,
    ) -> Option<String> {
        let mut parts: Vec<String> = chosen.iter().map(|chosen| chosen.seeds(request)).collect();
        parts.dedup();
        if chosen.iter().any(|chosen| chosen.has_several()) {
            let of_layers = request.spread(Spread::Seeds);
            let kinds = match of_layers == spread {
                true => vec![(self.lines.and(self.by_layer), spread)],
                false => vec![(self.lines, spread), (self.by_layer, of_layers)],
            };
            let drawn = kinds.into_iter().filter(|(axes, _)| *axes != Axes::default());
            parts.extend(drawn.map(|(axes, spread)| several::lines(spread, axes)));
            parts.extend(self.several.iter().cloned());
        }
        let marks = [
            (self.hollow, layers::HOLLOW),
            (self.dotted, "dotted: unreliable"),
            (self.ringed, layers::RINGED),
        ];
        parts.extend(marks.iter().filter(|(used, _)| *used).map(|(_, words)| (*words).to_owned()));
        parts.extend(published.map(|table| format!("{PUBLISHED_MARK}, {}", set(&table.setting))));
        parts.retain(|part| !part.is_empty());
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
