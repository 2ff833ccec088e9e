//! Frozen baselines among the records.

use super::{Records, Trial};

impl Records {
    /// The frozen baseline of a run, as D3 requires it.
    pub fn frozen_baseline(&self, trial: &Trial) -> Option<&Trial> {
        let run = trial.trained()?;
        self.trials.iter().find(|other| other.trained().is_some_and(|other| other.is_baseline_of(&run)))
    }

    /// Test accuracy of the frozen baseline after as many epochs as the trial was trained for, as D3 compares; if the
    /// baseline was not read, the value in the trial's audit.
    pub fn frozen_accuracy(&self, trial: &Trial) -> Option<f64> {
        let baseline = self.frozen_baseline(trial).and_then(|baseline| {
            let last = trial.last()?.epoch;
            baseline.epoch(last)?.test_accuracy
        });
        baseline.or_else(|| trial.final_audit().and_then(|audit| audit.frozen))
    }
}
