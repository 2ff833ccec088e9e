//! One rule and one quantity: a bar from the smallest to the largest draw of each null, with the measured values on top.
//! Nulls are grey, so that colour always means a measurement.

use super::draw::{Measure, evidence, null_name, nulls};
use super::tally;
use crate::catalogue::choose::Chosen;
use crate::catalogue::layers::inert;
use crate::catalogue::meaning;
use crate::plot::palette::{Dash, NEUTRAL};
use crate::plot::{
    Axis, Bar, Bars, Datum, GUIDE, Guide, LegendPlace, Line, Look, MUTED, Panel, Region, Says, Spot,
};
use crate::reader::{Trial, Variant, statistics};
use crate::scene::{Colour, Tag};
use record::Unit;
use record::audit::NullKind;

/// What all panels of a quantity share.
pub(super) struct Shared<'a> {
    measure: Measure,
    kinds: &'a [NullKind],
    /// Names of the units along the axis.
    units: Vec<String>,
    /// Values that every axis includes, so that all have the same range.
    ends: Vec<f64>,
}

/// Width of the widest bar, as a share of the distance between units.
const ROOM: f64 = 0.76;

impl<'a> Shared<'a> {
    pub(super) fn of(measure: Measure, chosen: &Chosen<'_>, kinds: &'a [NullKind]) -> Self {
        let longest = chosen.trials().max_by_key(|trial| trial.final_units().len());
        let name = |unit: Unit| match unit {
            Unit::Embed => unit.to_string(),
            Unit::Block(block) => block.to_string(),
        };
        let units = longest.map_or_else(Vec::new, |t| t.final_units().iter().map(|u| name(u.unit)).collect());
        let mut ends = vec![0.0, 1.0];
        for trials in chosen.groups.values() {
            ends.extend(nulls(trials, measure).flat_map(|null| [null.low, null.high]));
            for trial in trials {
                ends.extend((0..units.len()).filter_map(|u| value(trial, u, measure)).map(|(v, _)| v));
            }
        }
        ends.retain(|v| v.is_finite());
        Self { measure, kinds, units, ends }
    }

    pub(super) fn panel(&self, name: &str, variant: &Variant, look: Look, trials: &[&Trial]) -> Panel {
        let (name_in_table, label) = match self.measure {
            Measure::Cosine => ("cosine", "cosine"),
            Measure::Rho => ("rho", "corr. $\\rho$"),
        };
        let mut panel = Panel::new(
            &format!("{variant}: {name_in_table}"),
            Axis {
                says: Says::Unit,
                ..Axis::categories("unit (embedding, then blocks)", self.units.iter().cloned())
            },
            Axis::linear(label).including(self.ends.iter().copied()),
        );
        panel.title = Some(tally::sentence(self.measure, trials, self.units.len()));
        panel.legend = LegendPlace::Figure;
        panel.add(Guide::horizontal(0.0, None, GUIDE, Dash::Solid));
        self.gaps(trials).into_iter().for_each(|region| panel.add(region));
        for (k, kind) in self.kinds.iter().enumerate() {
            panel.add(self.band(variant, trials, *kind, k));
        }
        self.measured(name, variant, look, trials, &mut panel);
        panel
    }

    /// The range of a null at each unit, over all seeds.
    fn band(&self, variant: &Variant, trials: &[&Trial], kind: NullKind, k: usize) -> Bars {
        // Nested, so that a marker is in front of all of them.
        let width = ROOM * 0.55f64.powi(k as i32);
        let bar = |unit: usize| {
            let (low, high) = range(trials, unit, self.measure, kind)?;
            Some(Bar { x: unit as f64, y: high, base: low, ..Bar::default() })
        };
        let name = format!("chance: {}", null_name(kind));
        Bars {
            key: Some(name.clone()),
            name,
            bars: (0..self.units.len()).filter_map(bar).filter(|bar| bar.y.is_finite()).collect(),
            width,
            colour: grey(k),
            published: false,
            meaning: meaning::rule(variant).of_series(self.measure.series()).with(Tag::Null, kind.name()),
        }
    }

    /// Shading for units whose credit does not depend on feedback, so that this null does not apply.
    fn gaps(&self, trials: &[&Trial]) -> Vec<Region> {
        let kind = NullKind::FreshFeedback;
        let is_measured = |unit: usize| trials.iter().any(|trial| value(trial, unit, self.measure).is_some());
        if !self.kinds.contains(&kind) {
            return Vec::new();
        }
        let open: Vec<usize> = (0..self.units.len())
            .filter(|unit| is_measured(*unit) && range(trials, *unit, self.measure, kind).is_none())
            .collect();
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        let region =
            |x, name: &str| Region { x, y: all, fill: NEUTRAL, name: Some(name.to_owned()), ink: MUTED };
        if open.len() == self.units.len() {
            return vec![region(all, "uses no feedback")];
        }
        open.iter().map(|unit| region((*unit as f64 - 0.5, *unit as f64 + 0.5), "uses no feedback")).collect()
    }

    /// Whether some unit of these trials is shaded.
    pub(super) fn has_gaps(&self, trials: &[&Trial]) -> bool {
        !self.gaps(trials).is_empty()
    }

    /// The mean over seeds as a thin line, and one marker per seed.
    fn measured(&self, name: &str, variant: &Variant, look: Look, trials: &[&Trial], panel: &mut Panel) {
        let series = self.measure.series();
        let datum = |unit: usize| {
            let found: Vec<(f64, bool)> =
                trials.iter().filter_map(|t| value(t, unit, self.measure)).collect();
            let mean = statistics(found.iter().map(|(v, _)| *v)).map_or(f64::NAN, |s| s.mean);
            Datum {
                firm: found.iter().all(|(_, firm)| *firm),
                inert: inert(trials, unit),
                ..Datum::new(unit as f64, mean)
            }
        };
        let data: Vec<Datum> = (0..self.units.len()).map(datum).collect();
        let line = Line::new(name, data, look).unlisted().meaning(meaning::trials(trials).of_series(series));
        let line = Line { weight: 0.6, ..line };
        if trials.len() == 1 {
            panel.add(line);
            return;
        }
        panel.add(Line { name: format!("{name}, mean"), ..line.plain() });
        for (k, trial) in trials.iter().enumerate() {
            let aside = 0.22 * (k as f64 / (trials.len() - 1) as f64 - 0.5);
            for unit in 0..self.units.len() {
                let Some((y, firm)) = value(trial, unit, self.measure) else { continue };
                let at = Datum { firm, inert: inert(&[trial], unit), ..Datum::new(unit as f64 + aside, y) };
                let meaning = meaning::rule(variant).of_series(series).with_some(Tag::Seed, trial.seed);
                let name = Spot::of_seed(name, trial.seed);
                panel.add(Spot { size: 0.62, ..Spot::new(name, at, look, meaning) });
            }
        }
    }
}

/// The measured value of a unit, and whether it is reliable.
fn value(trial: &Trial, unit: usize, measure: Measure) -> Option<(f64, bool)> {
    let measured = measure.value(evidence(trial, unit)?)?;
    measured.value().map(|value| (value, measured.defined().is_some()))
}

/// The smallest and largest draw over all seeds; `None` if this null does not apply.
fn range(trials: &[&Trial], unit: usize, measure: Measure, kind: NullKind) -> Option<(f64, f64)> {
    let all = trials.iter().filter_map(|trial| evidence(trial, unit)).flat_map(|evidence| &evidence.nulls);
    let ours = all.filter(|null| null.kind == kind && measure.is_of(null));
    ours.map(|null| (null.low, null.high)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Light and dark by turns, so that each is told from the wider one behind it.
fn grey(k: usize) -> Colour {
    const LIGHTER: [f64; 4] = [0.72, 0.15, 0.5, 0.0];
    MUTED.tinted(LIGHTER[k % LIGHTER.len()])
}
