//! What a log says about how a run gets on, taken in epoch by epoch.

use protocol::{Moment, Thresholds, reference_validity, scale_stability};
use record::Epoch;
use record::audit::{CheckId, Outcome};
use std::collections::VecDeque;
use std::time::Duration;

/// Epochs whose times say how long the next ones take.
const RECENT: usize = 5;

/// A run so far.
#[derive(Debug, Default)]
pub(super) struct Course {
    /// Epochs completed.
    pub(super) epoch: Option<u64>,
    /// Test accuracy after the last.
    pub(super) accuracy: Option<f64>,
    /// Seconds that all epochs took.
    pub(super) seconds: f64,
    recent: VecDeque<f64>,
    scale: Option<u64>,
    reference: Option<u64>,
}

impl Course {
    /// Takes in the next epoch.
    pub(super) fn take(&mut self, epoch: &Epoch, limits: &Thresholds) {
        self.epoch = Some(epoch.epoch);
        self.accuracy = Some(epoch.test.accuracy);
        // The line before the first epoch times no training.
        if epoch.epoch > 0 {
            self.seconds += epoch.seconds();
            self.recent.push_back(epoch.seconds());
            self.recent.drain(..self.recent.len().saturating_sub(RECENT));
        }
        let moment = Moment::of(epoch);
        follow(&mut self.scale, scale_stability(moment.growth, limits), epoch.epoch);
        follow(&mut self.reference, reference_validity(moment.gradient, moment.error, limits), epoch.epoch);
    }

    /// The checks that fire after the last epoch, and since when without a break.
    pub(super) fn firing(&self) -> impl Iterator<Item = (CheckId, u64)> {
        let both = [(CheckId::D1, self.scale), (CheckId::D2, self.reference)];
        both.into_iter().filter_map(|(check, since)| Some((check, since?)))
    }

    /// How long an epoch takes, by the last ones.
    pub(super) fn epoch_time(&self) -> Option<Duration> {
        let count = self.recent.len();
        (count > 0).then(|| self.recent.iter().sum::<f64>() / count as f64).and_then(duration)
    }

    /// Time to the last of the epochs asked for, if the last line came `ago`; none where it should have come by now.
    pub(super) fn left(&self, asked: Option<u64>, ago: Duration) -> Option<Duration> {
        let epochs = asked?.saturating_sub(self.epoch?);
        let whole = duration(self.epoch_time()?.as_secs_f64() * epochs as f64)?;
        whole.checked_sub(ago).filter(|left| !left.is_zero())
    }
}

fn follow(since: &mut Option<u64>, outcome: Outcome, epoch: u64) {
    *since = (outcome == Outcome::Fires).then(|| since.unwrap_or(epoch));
}

/// Seconds of a log, which may hold anything.
pub(super) fn duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::THRESHOLDS;
    use record::series::{GRADIENT, HIDDEN};
    use record::{Evaluation, Score};

    fn epoch(epoch: u64, growth: f64, seconds: f64) -> Epoch {
        let series = [HIDDEN.series([1.0, growth]), GRADIENT.series([1.0, 1.0])].into();
        Epoch {
            epoch,
            lr: None,
            train: None,
            validation: None,
            test: Score { loss: 1.0, accuracy: 0.25 },
            evaluation: Evaluation { samples: 1, error: 1.0, growth, series, notes: Default::default() },
            audit: None,
            feedback: None,
            train_seconds: seconds,
            test_seconds: 0.0,
            evaluation_seconds: 0.0,
            audit_seconds: 0.0,
        }
    }

    #[test]
    fn a_check_fires_since_it_last_began_to() {
        let mut course = Course::default();
        for (n, growth) in [2.0, 90.0, 2.0, 80.0, f64::INFINITY].into_iter().enumerate() {
            course.take(&epoch(n as u64, growth, 1.0), &THRESHOLDS);
        }
        assert_eq!(course.firing().collect::<Vec<_>>(), [(CheckId::D1, 3)]);
    }

    #[test]
    fn the_time_left_follows_the_last_epochs() {
        let mut course = Course::default();
        course.take(&epoch(0, 2.0, 50.0), &THRESHOLDS);
        assert_eq!(course.left(Some(20), Duration::ZERO), None, "no epoch was trained");
        for n in 1..=10 {
            course.take(&epoch(n, 2.0, if n <= 5 { 100.0 } else { 4.0 }), &THRESHOLDS);
        }
        assert_eq!(course.left(Some(20), Duration::from_secs(3)), Some(Duration::from_secs(37)));
        assert_eq!(course.left(Some(20), Duration::from_secs(300)), None, "it is late");
        assert_eq!(course.left(None, Duration::ZERO), None);
        assert_eq!(course.seconds, 520.0);
    }
}
