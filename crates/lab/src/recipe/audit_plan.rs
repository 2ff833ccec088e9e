//! Audits at some epochs of training: more than norms and cosines.

use super::reader::Reader;
use record::audit::{Settings, Thresholds};

/// Maximum number of samples for the nulls of the nudge, the most expensive part of an audit.
const NULL_SAMPLES: u64 = 32;

/// Audits during training.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditPlan {
    /// Ratio of one audited epoch to the next; 1 audits every epoch, 0 none.
    pub every: f64,
    /// Samples, directions and draws.
    pub settings: Settings,
    /// Checks that end the run if they fire.
    pub stop_on: Vec<String>,
}

impl AuditPlan {
    pub(super) fn new(read: &Reader<'_>, limits: &Thresholds, test: usize) -> Result<Self, String> {
        let every = read.real("audit.every");
        if every > 0.0 && every < 1.0 {
            return Err(format!("`audit.every` is {every}: it must be 0, or 1 and above"));
        }
        let samples = read.size("audit.samples").min(test) as u64;
        let settings = Settings {
            directions: read.whole("audit.directions") as u64,
            draws: read.whole("audit.draws") as u64,
            null_samples: NULL_SAMPLES.min(samples),
            ..protocol::settings(limits, samples)
        };
        Ok(Self { every, settings, stop_on: read.words("audit.stop_on") })
    }

    /// Whether the state after `epoch` of `last` epochs is audited: at the start, at powers of the ratio, rounded up, and at
    /// the end.
    pub fn audits(&self, epoch: u64, last: u64) -> bool {
        if self.every <= 1.0 {
            return self.every == 1.0;
        }
        let mut power = 1.0f64;
        while power.ceil() < epoch as f64 {
            power *= self.every;
        }
        epoch == 0 || epoch == last || power.ceil() == epoch as f64
    }

    /// Number of audits in a run of this many epochs.
    pub fn count(&self, last: u64) -> u64 {
        match self.every {
            0.0 => 0,
            1.0 => last + 1,
            ratio => 3 + ((last.max(1) as f64).ln() / ratio.ln()) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epochs(every: f64, last: u64) -> Vec<u64> {
        let plan =
            AuditPlan { every, settings: protocol::settings(&protocol::THRESHOLDS, 1), stop_on: vec![] };
        let audited: Vec<u64> = (0..=last).filter(|&epoch| plan.audits(epoch, last)).collect();
        assert!(plan.count(last) >= audited.len() as u64, "{every} {last}");
        audited
    }

    #[test]
    fn audits_thin_out_and_never_miss_the_ends() {
        assert_eq!(epochs(2.0, 20), [0, 1, 2, 4, 8, 16, 20]);
        assert_eq!(epochs(1.5, 10), [0, 1, 2, 3, 4, 6, 8, 10]);
        assert_eq!(epochs(1.0, 3), [0, 1, 2, 3]);
        assert!(epochs(0.0, 3).is_empty());
        assert_eq!(epochs(10.0, 100), [0, 1, 10, 100]);
    }
}
