//! What every kind of panel needs: the trials of a part, values of several seeds as one, axes.

use super::axes::{epochs, is_wide, numbers};
use super::field::{Field, Part};
use super::parse::CompositionError;
use super::select::Cohort;
use super::spec::{Across, Aggregate, Along, Group, Kind, Panel, Scale};
use crate::catalogue::request::power;
use crate::catalogue::{CatalogueError, PublishedAccuracies, Request, layers, meaning};
use crate::plot::palette::{Dash, NEUTRAL};
use crate::plot::{Axis, Datum, Element, GUIDE, Guide, MUTED, Region, Says, Spread};
use crate::reader::{Records, Trial, geometric_mean, statistics};
use crate::scene::{Meaning, Tag};
use record::series::At;
use record::{Measured, Unit};
use toml::Value;

/// A panel and what it is drawn from.
pub(super) struct Plot<'a> {
    pub(super) request: &'a Request,
    pub(super) spec: &'a Panel,
    pub(super) cohort: Cohort<'a>,
    /// What was published, beside ours.
    pub(super) published: Option<&'a PublishedAccuracies>,
    /// What bands and error bars show.
    pub(super) spread: Spread,
}

impl<'a> Plot<'a> {
    pub(super) fn records(&self) -> &'a Records {
        &self.request.records
    }

    pub(super) fn is_log(&self) -> bool {
        self.spec.is_log()
    }

    /// The parts that lines or bars show; without layers.
    pub(super) fn groups(&self) -> Vec<Part<'a>> {
        match &self.spec.group {
            Group::Field(field) => field.split(self.request, &self.cohort),
            Group::Layer => Field::Rule.split(self.request, &self.cohort),
        }
    }

    /// The parts along the horizontal axis, with the rules of which there are published values alone.
    pub(super) fn places(&self) -> Vec<Part<'a>> {
        let Along::Field(field) = &self.spec.x else { return Vec::new() };
        let mut places = field.split(self.request, &self.cohort);
        for (rule, ..) in self.published.iter().flat_map(|table| &table.rows) {
            if !places.iter().any(|place| place.is(rule)) {
                let (name, look) = (self.request.rule(rule), self.request.look(rule));
                let (value, at_its_place) = (Value::String(rule.clone()), name.clone());
                places.push(Part { value, name, at_its_place, look, cohort: Vec::new() });
            }
        }
        places.sort_by(|a, b| field.order(self.records(), &a.value, &b.value));
        places
    }

    /// Refuses to average over runs that differ in more than their seeds.
    pub(super) fn refuse_mixtures(&self) -> Result<(), CatalogueError> {
        let along = |trials: Cohort<'a>| match &self.spec.x {
            Along::Field(field) => {
                field.split(self.request, &trials).into_iter().map(|part| part.cohort).collect()
            }
            _ => vec![trials],
        };
        let whole = self.spec.kind == Kind::Heat || self.spec.group == Group::Layer;
        let parts = if whole {
            vec![self.cohort.clone()]
        } else {
            self.groups().into_iter().map(|p| p.cohort).collect()
        };
        let named = self.spec.named();
        for trials in parts.into_iter().flat_map(along) {
            let differ = |field: &&Field| trials.windows(2).any(|w| field.of(w[0]) != field.of(w[1]));
            let mut fields =
                std::iter::once(&Field::Rule).chain(&named).filter(|field| **field != Field::Seed);
            if let Some(field) = fields.find(differ) {
                let message = format!(
                    "runs that differ in {field} would be averaged: name it in `per`, `group` or `x`, or choose one in `where`"
                );
                return Err(CompositionError { place: self.spec.place.clone(), message }.into());
            }
        }
        Ok(())
    }

    /// Several seeds as one number; NaN where one has none.
    pub(super) fn one(&self, values: &[f64]) -> f64 {
        if values.is_empty() || values.iter().any(|v| v.is_nan()) {
            return f64::NAN;
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        match self.spec.aggregate {
            Aggregate::Least => sorted[0],
            Aggregate::Largest => sorted[sorted.len() - 1],
            Aggregate::Median if sorted.len().is_multiple_of(2) => {
                (sorted[middle - 1] + sorted[middle]) / 2.0
            }
            Aggregate::Median => sorted[middle],
            _ if self.is_log() => geometric_mean(values).unwrap_or(f64::NAN),
            _ => statistics(values.iter().copied()).map_or(f64::NAN, |s| s.mean),
        }
    }

    /// Several seeds' measured values as one datum: reliable if all are, missing if one is.
    pub(super) fn datum(&self, x: f64, values: &[Option<Measured>]) -> Datum {
        let numbers: Vec<f64> =
            values.iter().map(|v| v.and_then(|v| v.value()).unwrap_or(f64::NAN)).collect();
        let firm = values.iter().all(|v| v.is_some_and(|v| v.defined().is_some()));
        Datum { firm, ..Datum::new(x, self.one(&numbers)) }
    }

    /// What the marks of a part mean.
    pub(super) fn meaning(&self, trials: &[&Trial]) -> Meaning {
        let of_layer = match (self.spec.y.index, self.spec.y.at(self.records())) {
            (Some(index), Some(at)) => {
                let depth = trials.first().map_or(0, |trial| self.depth(trial));
                let index = if index < 0 { depth as i64 + index } else { index };
                usize::try_from(index).map_or_else(|_| Meaning::default(), |index| place(at, index).1)
            }
            _ => Meaning::default(),
        };
        meaning::trials(trials).and(&of_layer).of_series(&self.spec.y.name)
    }

    fn depth(&self, trial: &Trial) -> usize {
        let whole = super::quantity::Quantity { index: None, ..self.spec.y.clone() };
        trial.last().map_or(0, |epoch| whole.after(epoch).len())
    }

    /// How many layers the quantity has.
    pub(super) fn layers(&self) -> usize {
        let end = |trial: &&Trial| self.spec.y.at_end(trial).len();
        let log = |trial: &&Trial| trial.last().map_or(0, |epoch| self.spec.y.after(epoch).len());
        self.cohort.iter().map(|trial| end(trial).max(log(trial))).max().unwrap_or(0)
    }

    /// The horizontal axis; `last` is the last epoch of the figure.
    pub(super) fn x_axis(&self, last: u64) -> Axis {
        match &self.spec.x {
            Along::Epoch => epochs(self.spec.log_x, last),
            Along::Layer => match self.spec.y.at(self.records()) {
                Some(At::State) => Axis::layers("Layer $l$", Says::State),
                Some(At::Unit) => {
                    let names = (0..self.layers()).map(|i| place(At::Unit, i).0.replace("block ", ""));
                    Axis { says: Says::Unit, ..Axis::categories("Unit: embedding, block $l$", names) }
                }
                _ => Axis::layers("Block $l$", Says::Unit),
            },
            Along::Quantity(quantity) => Axis::linear(&quantity.label()),
            Along::Field(field) => {
                let parts = self.places();
                let label =
                    if let Field::Key(key) = field { crate::text::escape(key) } else { String::new() };
                let values: Option<Vec<f64>> =
                    parts.iter().map(|part| super::field::number(&part.value)).collect();
                match values.filter(|_| self.spec.kind == Kind::Line) {
                    Some(values) => numbers(&label, &values),
                    None => Axis::categories(&label, parts.iter().map(|part| part.at_its_place.clone())),
                }
            }
        }
    }

    /// The vertical axis of what is drawn.
    pub(super) fn y_axis(&self, elements: &[Element]) -> Axis {
        let label = self.spec.label.clone().unwrap_or_else(|| self.spec.y.label());
        let axis = match self.spec.scale {
            Some(Scale::Signed(least)) => {
                Axis::signed(&format!("{label}\n(symlog, linear within $\\pm{}$)", power(least)), least)
            }
            Some(Scale::Auto) if is_wide(elements) => Axis::log(&label),
            Some(Scale::Auto) => Axis::linear(&label).including([0.0]),
            _ if self.is_log() => Axis::log(&label),
            _ => Axis::linear(&label),
        };
        let axis =
            Axis { percent: self.spec.percent || self.spec.y.is_share(), range: self.spec.range, ..axis };
        axis.including(self.spec.include.iter().copied())
    }

    /// Shading where an axis of both signs is linear.
    pub(super) fn linear_part(&self) -> Option<Region> {
        let Some(Scale::Signed(least)) = self.spec.scale else { return None };
        let x = (f64::NEG_INFINITY, f64::INFINITY);
        Some(Region { x, y: (-least, least), fill: NEUTRAL, name: None, ink: MUTED })
    }

    /// The lines across.
    pub(super) fn guides(&self) -> Vec<Guide> {
        let guide = |across: &Across| match across {
            Across::At(0.0) => Some(Guide::horizontal(0.0, None, MUTED, Dash::Solid)),
            Across::At(at) => Some(Guide::horizontal(*at, None, GUIDE, Dash::Dashed)),
            Across::Chance => {
                let classes = self.cohort.iter().find_map(|trial| trial.classes)?;
                let line = Guide::horizontal(1.0 / classes as f64, Some("chance"), GUIDE, Dash::Dotted);
                Some(line.meaning(Meaning::of(meaning::CHANCE)))
            }
            Across::Floor => Some(layers::floor(self.cohort.iter().copied(), 1)),
        };
        self.spec.guides.iter().filter_map(guide).collect()
    }
}

/// Name and meaning of the layer at which the value `index` is measured.
pub(super) fn place(at: At, index: usize) -> (String, Meaning) {
    match at {
        At::State => (format!("$h_{{{index}}}$"), Meaning::default().with(Tag::State, index)),
        At::Unit | At::BlockInput => {
            let unit = Unit::at(at.unit(index)).to_string();
            (unit.clone(), Meaning::default().with(Tag::Unit, unit))
        }
    }
}
