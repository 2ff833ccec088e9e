//! Which settings have runs with a penalty: only these are shown, however many runs another setting has.

use figures::catalogue::choose::Chosen;
use figures::reader::{Records, Setting, Trial};

/// The trials that a figure about penalties is drawn from.
pub(crate) struct Sweep<'a, W> {
    wanted: W,
    /// Settings with a penalised run of dfa.
    penalised: Vec<&'a Setting>,
    /// Whether there are wanted trials of other settings.
    others: bool,
}

impl<'a, W: Fn(&Trial) -> bool> Sweep<'a, W> {
    /// The wanted trials of settings with a penalised run of dfa; all wanted trials if there is none.
    pub(crate) fn of(records: &'a Records, wanted: W) -> Self {
        let ours = || records.trials.iter().filter(|trial| wanted(trial));
        let penalised: Vec<&Setting> = ours()
            .filter(|trial| trial.rule == "dfa" && !trial.frozen && trial.penalty != 0.0)
            .map(|trial| &trial.setting)
            .collect();
        let is_other = |trial: &Trial| !penalised.iter().any(|setting| setting.agrees(&trial.setting));
        let others = ours().any(is_other);
        Self { wanted, penalised, others }
    }

    /// Whether no setting has a penalty.
    pub(crate) fn is_empty(&self) -> bool {
        self.penalised.is_empty()
    }

    /// Whether the figure may show a trial.
    pub(crate) fn takes(&self, trial: &Trial) -> bool {
        (self.wanted)(trial)
            && (self.is_empty() || self.penalised.iter().any(|setting| setting.agrees(&trial.setting)))
    }

    /// Names the chosen setting if records of settings without a penalty were left out.
    pub(crate) fn note(&self, chosen: &Chosen<'_>) -> Option<String> {
        (self.others && !self.is_empty())
            .then(|| format!("setting: {}, as it has runs with `rule.penalty`", chosen.setting))
    }
}
