//! What figures ask for: settings, rules, the seeds of one variant together, and baselines.

use super::variant::place;
use super::{EpochPoint, Records, Setting, Statistics, Trial, Variant, statistics};
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
        let mut groups: Vec<Group<'_>> = Vec::new();
        // Trials are in order, so that those of a group follow one another.
        for trial in &self.trials {
            let variant = trial.variant();
            match groups.last_mut() {
                Some(last) if *last.setting == trial.setting && last.variant == variant => {
                    last.trials.push(trial);
                }
                _ => groups.push(Group { setting: &trial.setting, variant, trials: vec![trial] }),
            }
        }
        groups
    }

    /// The groups of one setting.
    pub fn groups_in(&self, setting: &Setting) -> Vec<Group<'_>> {
        self.groups().into_iter().filter(|group| group.setting == setting).collect()
    }

    /// The same rule with frozen blocks, trained to its end in the same setting with the same seed, as D3 wants it. A frozen trial
    /// has none. A penalty does nothing to frozen blocks, except that of `bp`, which flows on to the embedding.
    pub fn frozen_baseline(&self, trial: &Trial) -> Option<&Trial> {
        if trial.frozen {
            return None;
        }
        let wanted = Variant { frozen: true, ..trial.variant() };
        let serves = |variant: Variant| {
            let penalty = if wanted.rule == "bp" { variant.penalty } else { wanted.penalty };
            Variant { penalty, ..variant } == wanted
        };
        self.trials.iter().find(|other| {
            other.setting == trial.setting
                && other.seed == trial.seed
                && serves(other.variant())
                && other.is_complete() != Some(false)
        })
    }

    /// Test accuracy of the frozen baseline after as many epochs as the trial was trained for, as D3 compares; where the
    /// baseline was not read, what the trial's audit says.
    pub fn frozen_accuracy(&self, trial: &Trial) -> Option<f64> {
        let baseline = self.frozen_baseline(trial).and_then(|baseline| match trial.last() {
            Some(last) => baseline.epochs.iter().find(|epoch| epoch.epoch == last.epoch)?.test_accuracy,
            None => baseline.accuracy(),
        });
        baseline.or_else(|| trial.final_audit().and_then(|audit| audit.frozen))
    }
}
