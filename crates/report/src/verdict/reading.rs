//! The final values of a rule, seed by seed, each beside its frozen baseline.

use protocol::baseline::{Fill, frozen_accuracy, is_frozen};
use protocol::{Facts, SeedGroup, Thresholds, at_floor, checks, seed_groups, statistics, thresholds};
use record::audit::{CheckId, Consistency, Outcome};
use record::{Measured, Run};

/// One seed of a rule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seed {
    pub(crate) accuracy: f64,
    /// Accuracy of the same recipe with frozen blocks and the same seed.
    pub(crate) frozen: Option<f64>,
    pub(crate) growth: f64,
    /// ‖g_L‖ at the N of the floor.
    pub(crate) gradient: f64,
    /// Median ‖e_T‖.
    pub(crate) error: f64,
    /// Measured at embedding, block 0, …, block L−1.
    pub(crate) cosine: Vec<Measured>,
}

impl Seed {
    /// None before the first epoch.
    fn of(run: &Run, runs: &[Run], fill: Fill<'_>) -> Option<Self> {
        let last = run.last()?;
        let e = &last.evaluation;
        Some(Self {
            accuracy: last.test.accuracy,
            frozen: frozen_accuracy(run, runs, fill),
            growth: e.growth,
            gradient: at_floor(e.gradient().last().copied()?),
            error: e.error,
            cosine: e.cosine().to_vec(),
        })
    }

    fn outcome(&self, id: CheckId, limits: &Thresholds) -> Option<Outcome> {
        let facts = Facts {
            growth: Some(self.growth),
            gradient: Some(self.gradient),
            error: Some(self.error),
            accuracy: Some(self.accuracy),
            frozen: self.frozen,
            ..Facts::default()
        };
        let unread = Consistency::NotAssessed { why: "the log alone was read".to_owned() };
        let made = checks(&facts, &[], &unread, limits).into_iter();
        made.filter(|check| check.check == id).map(|check| check.outcome).next()
    }
}

/// A rule, with what else the recipe changes about it, over its seeds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    /// The run's name without its seed, such as `dfa` or `dfa-pen0.01`.
    pub(crate) rule: String,
    pub(crate) seeds: Vec<Seed>,
    pub(crate) thresholds: Thresholds,
}

/// The rules in the order in which they first occur, each with its finished seeds; frozen runs only serve as baselines.
pub(crate) fn readings(runs: &[Run], fill: Fill<'_>) -> Vec<Reading> {
    let judged = runs
        .iter()
        .filter(|run| run.record.status.is_complete() && !is_frozen(&run.recipe) && run.last().is_some());
    let reading = |SeedGroup { name, runs: members }: SeedGroup<'_>| Reading {
        rule: name,
        seeds: members.iter().filter_map(|run| Seed::of(run, runs, fill)).collect(),
        thresholds: thresholds(|key| members[0].key(key)),
    };
    seed_groups(judged).into_iter().map(reading).filter(|reading| !reading.seeds.is_empty()).collect()
}

/// How one check came out over the seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) fires: usize,
    pub(crate) passes: usize,
    pub(crate) seeds: usize,
}

impl Reading {
    /// How a check came out over the seeds.
    pub(crate) fn count(&self, id: CheckId) -> Count {
        let outcomes: Vec<Outcome> =
            self.seeds.iter().filter_map(|seed| seed.outcome(id, &self.thresholds)).collect();
        let of = |wanted: Outcome| outcomes.iter().filter(|&outcome| *outcome == wanted).count();
        Count { fires: of(Outcome::Fires), passes: of(Outcome::Passes), seeds: outcomes.len() }
    }

    /// Smallest and largest value over the seeds.
    pub(crate) fn range(&self, value: impl Fn(&Seed) -> f64) -> (f64, f64) {
        let values = || self.seeds.iter().map(&value);
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
    }

    pub(crate) fn mean(&self, value: impl Fn(&Seed) -> f64) -> f64 {
        statistics(self.seeds.iter().map(value)).map_or(f64::NAN, |over_seeds| over_seeds.mean)
    }

    /// Mean over the seeds of the cosine at each unit; absent where a seed has none.
    pub(crate) fn cosines(&self) -> Vec<Option<f64>> {
        let units = self.seeds.iter().map(|seed| seed.cosine.len()).min().unwrap_or(0);
        let of = |u: usize| -> Option<f64> {
            let values: Option<Vec<f64>> = self.seeds.iter().map(|seed| seed.cosine[u].value()).collect();
            statistics(values?).map(|over_seeds| over_seeds.mean)
        };
        (0..units).map(of).collect()
    }

    /// Whether every seed's cosine at a unit is reliable.
    pub(crate) fn believable(&self, unit: usize) -> bool {
        self.seeds.iter().all(|seed| matches!(seed.cosine[unit], Measured::Defined { .. }))
    }
}
