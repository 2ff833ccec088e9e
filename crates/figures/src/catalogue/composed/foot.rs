//! The foot of a composed figure: seeds, how several are drawn, what hollow and other marks say.

use super::spec::{Aggregate, Along, Kind, Panel};
use crate::catalogue::choose::Chosen;
use crate::catalogue::{PublishedAccuracies, layers, plain};
use crate::plot::Element;
use crate::text::escape;

/// What a foot says of lines on linear axes.
const LINEAR: &str = "lines: mean over seeds, bands: one standard deviation";
/// What it says of lines on logarithmic axes.
const LOG: &str = "lines: geometric mean over seeds, bands: all seeds";

/// What the panels have that needs words.
#[derive(Default)]
pub(super) struct Marks {
    several: Vec<&'static str>,
    /// Hollow markers, dotted lines, rings.
    hollow: bool,
    dotted: bool,
    ringed: bool,
}

impl Marks {
    /// Takes account of a panel.
    pub(super) fn note(&mut self, spec: &Panel, elements: &[Element]) {
        let log = spec.scale == Some(super::spec::Scale::Log)
            || (spec.scale.is_none() && spec.y.scale() == record::series::Scale::Log);
        let several = match (spec.kind, &spec.x, spec.aggregate) {
            (Kind::Bars, ..) => plain::BARS,
            (_, _, Aggregate::Seeds) => "each seed by itself",
            (_, _, Aggregate::Median) => "median over seeds",
            (_, _, Aggregate::Least) => "least over seeds",
            (_, _, Aggregate::Largest) => "largest over seeds",
            (Kind::Line, Along::Layer, _) => plain::MEAN_AND_SEEDS,
            (Kind::Line, ..) if log => LOG,
            (Kind::Line, ..) => LINEAR,
            (Kind::Heat, ..) if log => "colours: geometric mean over seeds",
            (Kind::Heat, ..) => "colours: mean over seeds",
            (Kind::Scatter, ..) => "markers: mean over seeds, whiskers: one standard deviation",
        };
        if !self.several.contains(&several) {
            self.several.push(several);
        }
        for element in elements {
            match element {
                Element::Line(line) => {
                    let values = || line.data.iter().filter(|d| d.y.is_finite());
                    let doubtful = values().any(|d| !d.firm);
                    self.hollow |= doubtful && line.marked;
                    // Thin lines of seeds are explained by the markers on their mean.
                    self.dotted |= doubtful && !line.marked && spec.x != Along::Layer;
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
        chosen: &[&Chosen<'_>],
        published: Option<&PublishedAccuracies>,
    ) -> Option<String> {
        let mut parts: Vec<String> = chosen.iter().map(|chosen| chosen.seeds()).collect();
        parts.dedup();
        if chosen.iter().any(|chosen| chosen.groups.values().any(|trials| trials.len() > 1)) {
            let both = self.several.contains(&LINEAR) && self.several.contains(&LOG);
            let shown = self.several.iter().filter(|&&words| !both || words != LOG);
            let words = |&words: &&str| match both && words == LINEAR {
                true => format!("{LINEAR}; on log axes geometric mean and all seeds"),
                false => words.to_owned(),
            };
            parts.extend(shown.map(words));
        }
        let marks = [
            (self.hollow, layers::HOLLOW),
            (self.dotted, "dotted: unreliable"),
            (self.ringed, layers::RINGED),
        ];
        parts.extend(marks.iter().filter(|(used, _)| *used).map(|(_, words)| (*words).to_owned()));
        parts.extend(published.map(|table| format!("hollow: published, {}", escape(&table.setting))));
        parts.retain(|part| !part.is_empty());
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
