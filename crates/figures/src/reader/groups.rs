//! What figures ask for: settings, rules, the seeds of one variant together, and baselines.

use super::variant::place;
use super::{EpochPoint, Records, Setting, Statistics, Trial, Variant, statistics};
use protocol::grouped;
use std::collections::{BTreeMap, BTreeSet};

/// The trials of one variant in one setting, by seed.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// The setting.
    pub setting: &'a Setting,
    /// The rule with its modifiers.
    pub variant: Variant,
    /// The trials, by seed.
    pub trials: Vec<&'a Trial>,
}

impl Group<'_> {
    /// Mean and standard deviation over the seeds that have a value; none where no seed has one.
    pub fn statistics(&self, value: impl Fn(&Trial) -> Option<f64>) -> Option<Statistics> {
        statistics(self.trials.iter().filter_map(|trial| value(trial)))
    }

    /// Mean and standard deviation epoch by epoch, over the seeds that have a value there.
    pub fn curve(&self, value: impl Fn(&EpochPoint) -> Option<f64>) -> Vec<(u64, Statistics)> {
        let mut epochs: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for point in self.trials.iter().flat_map(|trial| &trial.epochs) {
            if let Some(value) = value(point) {
                epochs.entry(point.epoch).or_default().push(value);
            }
        }
        epochs.into_iter().filter_map(|(epoch, values)| Some((epoch, statistics(values)?))).collect()
    }
}

impl Records {
    /// The settings that are there, in order.
    pub fn settings(&self) -> Vec<&Setting> {
        self.trials.iter().map(|trial| &trial.setting).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The rules that are there, in the order of legends.
    pub fn rules(&self) -> Vec<&str> {
        let rules: BTreeSet<_> = self.trials.iter().map(|trial| place(&trial.rule)).collect();
        rules.into_iter().map(|(_, rule)| rule).collect()
    }

    /// Trials together that differ in nothing but their seed, by setting and variant.
    pub fn groups(&self) -> Vec<Group<'_>> {
        let groups = grouped(&self.trials, |trial| (&trial.setting, trial.variant()));
        groups.into_iter().map(|((setting, variant), trials)| Group { setting, variant, trials }).collect()
    }

    /// The groups of one setting.
    pub fn groups_in(&self, setting: &Setting) -> Vec<Group<'_>> {
        self.groups().into_iter().filter(|group| group.setting == setting).collect()
    }

    /// The frozen baseline of a run, as D3 wants it.
    pub fn frozen_baseline(&self, trial: &Trial) -> Option<&Trial> {
        let own = trial.trained()?;
        self.trials.iter().find(|other| other.trained().is_some_and(|other| other.is_baseline_of(&own)))
    }

    /// Test accuracy of the frozen baseline after as many epochs as the trial was trained for, as D3 compares; where the
    /// baseline was not read, what the trial's audit says.
    pub fn frozen_accuracy(&self, trial: &Trial) -> Option<f64> {
        let baseline = self.frozen_baseline(trial).and_then(|baseline| {
            let last = trial.last()?.epoch;
            baseline.epochs.iter().find(|epoch| epoch.epoch == last)?.test_accuracy
        });
        baseline.or_else(|| trial.final_audit().and_then(|audit| audit.frozen))
    }
}
