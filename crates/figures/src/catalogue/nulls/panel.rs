//! One rule and one quantity: a bar from the smallest to the largest draw of each kind of chance, and over it
//! what was measured. Chance is grey, so that colour always means a measurement.

use super::draw::{Measure, chance, evidence, nulls};
use super::tally;
use crate::catalogue::choose::Chosen;
use crate::catalogue::meaning;
use crate::plot::palette::{Dash, NEUTRAL};
use crate::plot::{
    Axis, Bar, Bars, Datum, GUIDE, Guide, LegendPlace, Line, Look, MUTED, Panel, Region, Says, Spot,
};
use crate::reader::{Trial, Variant, statistics};
use crate::scene::{Colour, Tag};
use record::Unit;
use record::audit::NullKind;

/// What all panels of a quantity have in common.
pub(super) struct Shared<'a> {
    measure: Measure,
    kinds: &'a [NullKind],
    /// Units, as an axis prints them.
    units: Vec<String>,
    /// Values that every panel has to hold, so that all have one range.
    ends: Vec<f64>,
}

/// Width of the widest bar, as a share of the place of a unit.
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
            let all = |trial: &&Trial| {
                (0..units.len()).filter_map(|u| value(trial, u, measure)).collect::<Vec<_>>()
            };
            ends.extend(trials.iter().flat_map(all).map(|(v, _)| v));
        }
        ends.retain(|v| v.is_finite());
        Self { measure, kinds, units, ends }
    }

    pub(super) fn panel(&self, name: &str, variant: &Variant, look: Look, trials: &[&Trial]) -> Panel {
        let label = match self.measure {
            Measure::Cosine => "cosine",
            Measure::Rho => "$\\rho$",
        };
        let mut panel = Panel::new(
            &format!("{variant}: {}", if self.measure == Measure::Cosine { "cosine" } else { "rho" }),
            Axis {
                says: Says::Unit,
                ..Axis::categories("unit (embedding, then blocks)", self.units.iter().cloned())
            },
            Axis::linear(label).including(self.ends.iter().copied()),
        );
        panel.title = Some(tally::sentence(self.measure, trials, self.units.len()));
        panel.legend = LegendPlace::Figure;
        panel.add(Guide::lying(0.0, None, GUIDE, Dash::Solid));
        for region in self.gaps(trials) {
            panel.add(region);
        }
        for (k, kind) in self.kinds.iter().enumerate() {
            panel.add(self.band(variant, trials, *kind, k));
        }
        self.measured(name, variant, look, trials, &mut panel);
        panel
    }

    /// The range of chance at each unit, over all seeds.
    fn band(&self, variant: &Variant, trials: &[&Trial], kind: NullKind, k: usize) -> Bars {
        // One within the other, so that a marker stands before all of them.
        let width = ROOM * 0.55f64.powi(k as i32);
        let bar = |unit: usize| {
            let ends = range(trials, unit, self.measure, kind);
            let (low, high) = ends.unwrap_or((f64::NAN, f64::NAN));
            Bar { x: unit as f64, y: high, base: low, ..Bar::default() }
        };
        let key = chance(kind).to_owned();
        Bars {
            name: format!("chance: {key}"),
            key: Some(format!("chance: {key}")),
            bars: (0..self.units.len()).map(bar).filter(|bar| bar.y.is_finite()).collect(),
            width,
            colour: grey(k),
            hollow: false,
            meaning: meaning::rule(variant).of_series(self.measure.series()).with(Tag::Null, kind.name()),
        }
    }

    /// Units for which fresh feedback means nothing, as it does not enter their credit: they are shaded and
    /// say so.
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
            return vec![region(all, "no feedback to draw afresh")];
        }
        open.iter()
            .map(|unit| region((*unit as f64 - 0.5, *unit as f64 + 0.5), "needs no feedback"))
            .collect()
    }

    /// Whether some unit of these trials is shaded.
    pub(super) fn has_gaps(&self, trials: &[&Trial]) -> bool {
        !self.gaps(trials).is_empty()
    }

    /// The mean over seeds as a thin line, and a marker a seed.
    fn measured(&self, name: &str, variant: &Variant, look: Look, trials: &[&Trial], panel: &mut Panel) {
        let series = self.measure.series();
        let datum = |unit: usize| {
            let found: Vec<(f64, bool)> =
                trials.iter().filter_map(|t| value(t, unit, self.measure)).collect();
            let mean = statistics(found.iter().map(|(v, _)| *v)).map_or(f64::NAN, |s| s.mean);
            Datum { x: unit as f64, y: mean, firm: found.iter().all(|(_, firm)| *firm) }
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
                panel.add(Spot {
                    name: trial.seed.map_or_else(|| name.to_owned(), |seed| format!("{name}, seed {seed}")),
                    label: None,
                    key: None,
                    at: Datum { x: unit as f64 + aside, y, firm },
                    error: (None, None),
                    look,
                    size: 0.62,
                    meaning: meaning::rule(variant).of_series(series).with_some(Tag::Seed, trial.seed),
                });
            }
        }
    }
}

/// What was measured of a unit, and whether it is reliable.
fn value(trial: &Trial, unit: usize, measure: Measure) -> Option<(f64, bool)> {
    let measured = measure.of(evidence(trial, unit)?)?;
    measured.value().map(|value| (value, measured.defined().is_some()))
}

/// From the smallest to the largest draw over all seeds; none where this chance does not apply.
fn range(trials: &[&Trial], unit: usize, measure: Measure, kind: NullKind) -> Option<(f64, f64)> {
    let all = trials.iter().filter_map(|trial| evidence(trial, unit)).flat_map(|evidence| &evidence.nulls);
    let ours = all.filter(|null| null.kind == kind && measure.is_of(null));
    ours.map(|null| (null.low, null.high)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Greys from light, for the widest, to dark.
fn grey(k: usize) -> Colour {
    const LIGHTER: [f64; 4] = [0.7, 0.4, 0.2, 0.0];
    MUTED.tinted(LIGHTER[k % LIGHTER.len()])
}
