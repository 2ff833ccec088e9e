//! What an audit rests on: measured from the checkpoint, kept in an `audit.json`, or read from the log.

use super::log::{state_growth, states, units};
use super::subject::{Loaded, Unmeasured};
use super::{AuditOptions, evidence};
use crate::train::first_samples;
use audit::{PROTOCOL_SAMPLES, Samples};
use data::Dataset;
use record::audit::{Audit, CheckId, Consistency, Settings, State, Subject, UnitAudit, Warning};
use record::{Epoch, Run};

/// What was found, whatever it comes from.
pub(super) struct Found {
    pub(super) states: Vec<State>,
    pub(super) units: Vec<UnitAudit>,
    pub(super) samples: u64,
    pub(super) growth: Option<f64>,
    pub(super) error: Option<f64>,
    pub(super) direction: Option<f64>,
    pub(super) consistency: Consistency,
    /// Digest of the checkpoint that was measured.
    pub(super) checkpoint: Option<String>,
    /// About the measurement; those about the run are found anew.
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
        let mut found = audit::measure(&loaded.learner, samples, loaded.spec.batch, settings, threads);
        evidence::add_drift(loaded, &mut found.units);
        if settings.probe {
            evidence::add_probes(loaded, data, samples, &mut found.states);
        }
        let mut warnings = Vec::new();
        if settings.samples < PROTOCOL_SAMPLES {
            warnings.push(Warning::TooFewSamples { samples: settings.samples, wanted: PROTOCOL_SAMPLES });
        }
        let position = loaded.checkpoint.position();
        if position.step > 0 {
            warnings.push(Warning::MidEpoch { epoch: position.epoch, step: position.step });
        }
        if (1..20).contains(&settings.draws) {
            warnings.push(Warning::TooFewDraws { draws: settings.draws });
        }
        Self {
            states: found.states,
            units: found.units,
            samples: settings.samples,
            growth: Some(found.growth),
            error: Some(found.error),
            direction: found.direction,
            consistency: evidence::consistency(run, loaded, data),
            checkpoint: Some(loaded.checkpoint.digest.clone()),
            warnings,
        }
    }

    /// What an earlier audit measured; its checks are made again, since a baseline may have come since.
    pub(super) fn kept(audit: &Audit) -> Self {
        let statistic = |id| audit.checks.iter().find(|check| check.check == id).and_then(|c| c.statistic);
        let of_measurement = |warning: &&Warning| {
            matches!(
                warning,
                Warning::TooFewSamples { .. } | Warning::MidEpoch { .. } | Warning::TooFewDraws { .. }
            )
        };
        let checkpoint = match &audit.subject {
            Subject::Run { checkpoint, .. } => checkpoint.clone(),
            Subject::Dump { .. } => None,
        };
        Self {
            states: audit.states.clone(),
            units: audit.units.clone(),
            samples: audit.samples,
            growth: statistic(CheckId::D1),
            error: audit.error,
            direction: statistic(CheckId::Direction),
            consistency: audit.consistency.clone(),
            checkpoint,
            warnings: audit.warnings.iter().filter(of_measurement).cloned().collect(),
        }
    }

    /// Reads the log.
    pub(super) fn logged(last: &Epoch, why: Unmeasured) -> Self {
        let states = states(last);
        let (reason, warnings) = match why {
            Unmeasured::Needless(why) => (why.to_owned(), Vec::new()),
            Unmeasured::Lacking(why) => {
                (format!("the log alone was read: {why}"), vec![Warning::LogOnly { why }])
            }
        };
        Self {
            growth: state_growth(&states),
            states,
            units: units(last),
            samples: last.evaluation.samples,
            error: Some(last.evaluation.error),
            direction: None,
            consistency: Consistency::NotAssessed { why: reason },
            checkpoint: None,
            warnings,
        }
    }
}

/// The measured audit that lies in a run's directory, if it is of this recipe and of the last epoch of this log.
pub(super) fn kept(run: &Run, recipe_hash: &str, options: &AuditOptions) -> Option<Audit> {
    let audit = run.audit().ok().flatten().filter(|_| !options.again && !options.log_only)?;
    let Subject::Run { recipe_hash: of, checkpoint: Some(_), .. } = &audit.subject else { return None };
    let logged = run.last().map(|last| (last.epoch, last.test.accuracy));
    (of == recipe_hash && audit.epoch.zip(audit.accuracy) == logged).then_some(audit)
}
