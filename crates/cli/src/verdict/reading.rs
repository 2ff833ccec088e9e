//! The final values of a rule, seed by seed, each beside its frozen baseline.

use audit::{Check, Thresholds, frozen_accuracy, is_frozen};
use record::{Measured, Run};

/// One seed of a rule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seed {
    pub(crate) accuracy: f64,
    /// Accuracy of the same recipe with frozen blocks and the same seed.
    pub(crate) frozen: Option<f64>,
    pub(crate) growth: f64,
    /// ‖g_L‖ at N = 128.
    pub(crate) gradient: f64,
    /// Median ‖e_T‖.
    pub(crate) error: f64,
    /// Measured at embedding, block 0, …, block L−1.
    pub(crate) cosine: Vec<Measured>,
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
pub(crate) fn readings(runs: &[Run]) -> Vec<Reading> {
    let mut readings: Vec<Reading> = Vec::new();
    for run in runs.iter().filter(|run| run.record.status.is_complete() && !is_frozen(run)) {
        let Some(last) = run.last() else { continue };
        let e = &last.evaluation;
        let seed = Seed {
            accuracy: last.test.accuracy,
            frozen: frozen_accuracy(run, runs),
            growth: e.growth,
            gradient: e.mean_gradient(e.gradient.len() - 1, Thresholds::FLOOR_SAMPLES),
            error: e.error,
            cosine: e.cosine.clone(),
        };
        let rule = run.record.id.strip_suffix(&format!("-s{}", run.record.provenance.seed));
        let rule = rule.unwrap_or(&run.record.id);
        match readings.iter_mut().find(|reading| reading.rule == rule) {
            Some(reading) => reading.seeds.push(seed),
            None => readings.push(Reading {
                rule: rule.to_owned(),
                seeds: vec![seed],
                thresholds: thresholds(run),
            }),
        }
    }
    readings
}

fn thresholds(run: &Run) -> Thresholds {
    let or = |key: &str, default: f64| run.key(key).and_then(toml::Value::as_float).unwrap_or(default);
    let usual = Thresholds::default();
    Thresholds {
        growth: or("protocol.growth", usual.growth),
        floor: or("protocol.floor", usual.floor),
        gain: or("protocol.gain", usual.gain),
        solved: or("protocol.solved", usual.solved),
        ceiling: or("protocol.ceiling", usual.ceiling),
        direction: or("protocol.direction", usual.direction),
    }
}

/// How one check came out over the seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) fires: usize,
    pub(crate) passes: usize,
    pub(crate) seeds: usize,
}

impl Reading {
    fn count(&self, check: impl Fn(&Seed) -> Check) -> Count {
        let outcomes: Vec<Check> = self.seeds.iter().map(check).collect();
        let of = |wanted: Check| outcomes.iter().filter(|&&outcome| outcome == wanted).count();
        Count { fires: of(Check::Fires), passes: of(Check::Passes), seeds: outcomes.len() }
    }

    pub(crate) fn d1(&self) -> Count {
        self.count(|seed| self.thresholds.scale_stability(seed.growth))
    }

    pub(crate) fn d2(&self) -> Count {
        self.count(|seed| self.thresholds.reference_validity(seed.gradient, seed.error))
    }

    pub(crate) fn d3(&self) -> Count {
        self.count(|seed| self.thresholds.depth_utility(seed.accuracy, seed.frozen))
    }

    /// Smallest and largest value over the seeds.
    pub(crate) fn range(&self, value: impl Fn(&Seed) -> f64) -> (f64, f64) {
        let values = || self.seeds.iter().map(&value);
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
    }

    pub(crate) fn mean(&self, value: impl Fn(&Seed) -> f64) -> f64 {
        self.seeds.iter().map(value).sum::<f64>() / self.seeds.len() as f64
    }

    /// Mean over the seeds of the cosine at each unit; absent where a seed has none.
    pub(crate) fn cosines(&self) -> Vec<Option<f64>> {
        let units = self.seeds.iter().map(|seed| seed.cosine.len()).min().unwrap_or(0);
        let of = |u: usize| -> Option<f64> {
            let values: Option<Vec<f64>> = self.seeds.iter().map(|seed| seed.cosine[u].value()).collect();
            values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
        };
        (0..units).map(of).collect()
    }

    /// Whether every seed's cosine at a unit may be believed.
    pub(crate) fn believable(&self, unit: usize) -> bool {
        self.seeds.iter().all(|seed| matches!(seed.cosine[unit], Measured::Defined { .. }))
    }
}
