//! The data of an audit: measured from the checkpoint, kept in an `audit.json`, or read from the log.

use super::log::{states, units};
use super::subject::{Loaded, Unmeasured};
use super::{AuditOptions, evidence};
use crate::train::first_samples;
use audit::Samples;
use data::Dataset;
use protocol::{Moment, kept_audit, warnings};
use record::audit::{
    Audit, Carried, CheckId, Consistency, Settings, State, Subject, Thresholds, UnitAudit, Warning,
};
use record::{Epoch, Run};

/// The findings, from any of these sources.
pub(super) struct Found {
    pub(super) states: Vec<State>,
    pub(super) units: Vec<UnitAudit>,
    pub(super) samples: u64,
    pub(super) carried: Option<Carried>,
    pub(super) growth: Option<f64>,
    pub(super) error: Option<f64>,
    pub(super) direction: Option<f64>,
    pub(super) consistency: Consistency,
    /// Digest of the measured checkpoint.
    pub(super) checkpoint: Option<String>,
    /// Warnings about the measurement; those about the run are computed again.
    pub(super) warnings: Vec<Warning>,
}

impl Found {
    /// Measures the checkpoint.
    pub(super) fn measured(
        run: &Run,
        loaded: &Loaded,
        data: &Dataset,
        settings: &Settings,
        threads: usize,
    ) -> Self {
        let (x, labels) = first_samples(data, settings.samples as usize);
        let samples = Samples { x: &x, labels: &labels };
        let mut found = audit::measure(&loaded.learner, samples, loaded.spec.training(), settings, threads);
        evidence::add_drift(loaded, &mut found.units);
        if settings.probe {
            evidence::add_probes(loaded, data, samples, &mut found.states);
        }
        let position = loaded.checkpoint.position();
        Self {
            states: found.states,
            units: found.units,
            samples: settings.samples,
            carried: found.carried,
            growth: Some(found.growth),
            error: Some(found.error),
            direction: found.direction,
            consistency: evidence::consistency(run, loaded, data),
            checkpoint: Some(loaded.checkpoint.digest.clone()),
            warnings: warnings::of_measurement(settings, position.epoch, position.step),
        }
    }

    /// The measurements of an earlier audit. Its checks are computed again, since a baseline may have been added.
    pub(super) fn kept(audit: &Audit) -> Self {
        let statistic = |id| audit.checks.iter().find(|check| check.check == id).and_then(|c| c.statistic);
        let checkpoint = match &audit.subject {
            Subject::Run { checkpoint, .. } => checkpoint.clone(),
            Subject::Dump { .. } => None,
        };
        Self {
            states: audit.states.clone(),
            units: audit.units.clone(),
            samples: audit.samples,
            carried: audit.carried.clone(),
            growth: statistic(CheckId::D1),
            error: audit.error,
            direction: statistic(CheckId::Direction),
            consistency: audit.consistency.clone(),
            checkpoint,
            warnings: audit.warnings.iter().filter(|w| warnings::is_of_measurement(w)).cloned().collect(),
        }
    }

    /// Reads the log.
    pub(super) fn logged(last: &Epoch, why: Unmeasured, limits: &Thresholds) -> Self {
        let moment = Moment::of(last);
        let (reason, warnings) = match why {
            Unmeasured::Needless(why) => (why.to_owned(), Vec::new()),
            Unmeasured::Lacking(why) => {
                (format!("the log alone was read: {why}"), vec![Warning::LogOnly { why }])
            }
        };
        Self {
            growth: moment.growth,
            states: states(last),
            units: units(last, limits),
            samples: last.evaluation.samples,
            carried: None,
            error: moment.error,
            direction: None,
            consistency: Consistency::NotAssessed { why: reason },
            checkpoint: None,
            warnings,
        }
    }
}

/// The measured audit in a run's directory, if it belongs to this recipe and to the last epoch of this log. What was measured
/// elsewhere cannot be measured again.
pub(super) fn kept(run: &Run, recipe_hash: &str, options: &AuditOptions) -> Option<Audit> {
    let again = options.again && run.record.provenance.elsewhere.is_none();
    let audit = kept_audit(run).ok().flatten().filter(|_| !again && !options.log_only)?;
    let Subject::Run { recipe_hash: of, checkpoint: Some(_), .. } = &audit.subject else { return None };
    let last = run.last()?;
    let logged = (Some(last.epoch), Some(last.test.accuracy).filter(|accuracy| !accuracy.is_nan()));
    (of == recipe_hash && (audit.epoch, audit.accuracy) == logged).then_some(audit)
}
