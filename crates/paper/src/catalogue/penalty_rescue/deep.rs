//! What stands along the horizontal axis of (b): DFA under each penalty, fresh feedback and BP, with the means of their deep blocks.

use crate::published::{AlignmentKind, AlignmentRow, Value};
use figures::catalogue::request::power;
use figures::catalogue::{Convention, meaning};
use figures::plot::{Interval, Spread};
use figures::reader::{Layers, Trial, Variant, statistics};
use figures::scene::{Meaning, Tag};
use record::Measured;
use record::audit::{NullKind, Quantity};

/// The name of what fresh feedback gives.
pub(super) const NULL: &str = "fresh $B$";

/// One place along the axis.
pub(super) struct Condition {
    pub(super) name: String,
    /// What cosine and ρ have in common.
    pub(super) meaning: Meaning,
    /// Cosine and ρ; `None` for what was not measured.
    pub(super) values: [Option<Found>; 2],
}

/// What is known of a measure.
pub(super) enum Found {
    /// Its mean over seeds, the interval about it, and every seed.
    Mean(f64, Option<Interval>, Vec<(Option<u64>, f64)>),
    /// The ends of what was drawn.
    Range(f64, f64),
    /// No seed has a reliable value.
    Unreliable,
}

impl Found {
    /// The mean, if there is one.
    pub(super) fn mean(&self) -> Option<f64> {
        if let Self::Mean(mean, ..) = self { Some(*mean) } else { None }
    }
}

/// The name of a penalty along the axis.
pub(super) fn tick(penalty: f64) -> String {
    if penalty == 0.0 { "0".to_owned() } else { format!("${}$", power(penalty)) }
}

/// The layers of one seed.
type SeedLayers<'a> = (Option<u64>, &'a Layers);

/// Means over the blocks above the first.
#[derive(Clone, Copy)]
pub(super) struct Deep {
    pub(super) convention: Convention,
    pub(super) spread: Spread,
}

impl Deep {
    /// The values of the blocks above the first.
    fn of(self, values: &[Option<Measured>]) -> impl Iterator<Item = Option<f64>> {
        let at = self.convention.at();
        let first = at.index(2).unwrap_or(0);
        values.iter().skip(first).map(|m| m.as_ref()?.defined())
    }

    /// Their mean; `None` if one is unreliable.
    fn mean(self, values: &[Option<Measured>]) -> Option<f64> {
        statistics(self.of(values).collect::<Option<Vec<f64>>>()?).map(|s| s.mean)
    }

    fn of_layers(self, name: &str, meaning: Meaning, seeds: &[SeedLayers<'_>]) -> Option<Condition> {
        let over_seeds = |read: &dyn Fn(&Layers) -> Option<f64>| {
            let found: Vec<(Option<u64>, f64)> =
                seeds.iter().filter_map(|(seed, layers)| Some((*seed, read(layers)?))).collect();
            let values: Vec<f64> = found.iter().map(|(_, value)| *value).collect();
            let (mean, interval) = self.spread.about(&values, false)?;
            Some(Found::Mean(mean, interval, found))
        };
        let values = [
            over_seeds(&|layers| self.mean(self.convention.cosine(layers))),
            over_seeds(&|layers| self.mean(self.convention.rho(layers))),
        ];
        let any = values.iter().any(Option::is_some);
        let values = values.map(|found| Some(found.unwrap_or(Found::Unreliable)));
        any.then(|| Condition { name: name.to_owned(), meaning, values })
    }

    pub(super) fn at_the_end(self, name: &str, trials: &[&Trial]) -> Option<Condition> {
        let seeds: Vec<SeedLayers<'_>> =
            trials.iter().map(|trial| (trial.seed, &trial.final_layers)).collect();
        self.of_layers(name, rule(trials), &seeds)
    }

    /// The last epoch at which cosine and ρ of all deep blocks are reliable for every seed.
    pub(super) fn early_epoch(self, trials: &[&Trial]) -> Option<u64> {
        let firm = |list: &[Option<Measured>]| {
            let mut values = self.of(list).peekable();
            values.peek().is_some() && values.all(|value| value.is_some())
        };
        let is_firm =
            |layers: &Layers| firm(self.convention.cosine(layers)) && firm(self.convention.rho(layers));
        let epochs = |trial: &Trial| -> Vec<u64> {
            let good = trial.epochs.iter().filter(|e| e.epoch > 0 && is_firm(&e.layers));
            good.map(|e| e.epoch).collect()
        };
        let first = epochs(trials.first()?);
        first.into_iter().rev().find(|epoch| trials.iter().all(|trial| epochs(trial).contains(epoch)))
    }

    /// DFA without a penalty at the `early` epoch; at its end if there is none, or if it is the end.
    pub(super) fn vanilla(self, trials: &[&Trial], early: Option<u64>) -> Option<Condition> {
        let is_last = |epoch: u64| trials.iter().all(|t| t.last().is_some_and(|last| last.epoch == epoch));
        let Some(epoch) = early.filter(|epoch| !is_last(*epoch)) else {
            return self.at_the_end(&tick(0.0), trials);
        };
        let epochs =
            trials.iter().filter_map(|t| Some((t.seed, t.epochs.iter().find(|e| e.epoch == epoch)?)));
        let seeds: Vec<SeedLayers<'_>> = epochs.map(|(seed, e)| (seed, &e.layers)).collect();
        self.of_layers(&tick(0.0), rule(trials).with(Tag::Epoch, epoch), &seeds)
    }

    /// What fresh feedback gives on the same states: the range of all draws, averaged over the deep blocks.
    pub(super) fn null(self, trials: &[&Trial]) -> Option<Condition> {
        let range = |of: Quantity| -> Option<Found> {
            let units = trials.iter().flat_map(|trial| trial.final_units().iter().skip(2));
            let nulls = units.filter_map(|unit| self.convention.evidence(unit)).flat_map(|e| e.nulls.iter());
            let ours: Vec<(f64, f64)> = nulls
                .filter(|null| null.kind == NullKind::FreshFeedback && null.of == of)
                .map(|null| (null.low, null.high))
                .collect();
            let low = statistics(ours.iter().map(|(low, _)| *low))?;
            let high = statistics(ours.iter().map(|(_, high)| *high))?;
            Some(Found::Range(low.mean, high.mean))
        };
        let values = [range(Quantity::Cosine), range(Quantity::Rho)];
        let meaning = rule(trials).with(Tag::Null, NullKind::FreshFeedback.name());
        values.iter().any(Option::is_some).then(|| Condition { name: NULL.to_owned(), meaning, values })
    }
}

fn rule(trials: &[&Trial]) -> Meaning {
    trials.first().map_or_else(Meaning::default, |trial| meaning::rule(&trial.variant()))
}

pub(super) fn as_published(row: &AlignmentRow, bp: &str) -> Condition {
    let name = match row.kind {
        AlignmentKind::FreshFeedback => NULL.to_owned(),
        AlignmentKind::Gradient => bp.to_owned(),
        AlignmentKind::End => tick(row.penalty),
        AlignmentKind::Early => tick(0.0),
    };
    let null = (row.kind == AlignmentKind::FreshFeedback).then_some(NullKind::FreshFeedback.name());
    let rule = meaning::rule(&Variant::penalised(&row.rule, row.penalty));
    let meaning = meaning::published(rule.with_some(Tag::Null, null));
    let found = |value: &Value| {
        Some(Found::Mean(value.mean, value.sd.map(|sd| Interval::sd(value.mean, sd)), Vec::new()))
    };
    Condition { name, meaning, values: [found(&row.cosine), found(&row.rho)] }
}
