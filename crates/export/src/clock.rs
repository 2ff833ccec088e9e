//! When epochs ended, by what records say.

use record::{Epoch, RunRecord};
use report::show;
use std::time::Duration;

/// Seconds since 1970 at the end of one epoch after the other: the start of the run, and from there the seconds that epochs
/// took. The same records give the same times, which always rise, as viewers ask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(f64);

/// The least time between two epochs, in seconds. Trackers keep milliseconds.
const LEAST: f64 = 1e-3;

impl Clock {
    /// Starts with the run.
    pub(crate) fn of(record: &RunRecord) -> Self {
        Self(seconds(&record.provenance.started).unwrap_or(0.0))
    }

    /// The time now.
    pub(crate) fn now(self) -> f64 {
        self.0
    }

    /// The time at the end of the next epoch.
    pub(crate) fn advance(&mut self, epoch: &Epoch) -> f64 {
        let took = epoch.seconds();
        self.0 += if took.is_finite() { took.clamp(LEAST, 1e9) } else { LEAST };
        self.0
    }
}

/// A moment of a record as seconds since 1970.
pub(crate) fn seconds(moment: &str) -> Option<f64> {
    show::between("1970-01-01T00:00:00Z", moment).as_ref().map(Duration::as_secs_f64)
}
