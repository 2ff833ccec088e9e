//! The audit of one run: measured from its checkpoint, or read from its log where that is all there is.

use super::log::{history, state_growth, states, units};
use super::subject::{Loaded, load, spec};
use super::{AuditOptions, evidence};
use crate::train::first_samples;
use crate::{Error, RunSpec};
use audit::{
    Facts, PROTOCOL_SAMPLES, Samples, Thresholds, checks, frozen_accuracy, gamma, is_frozen, unit_warnings,
};
use data::Dataset;
use record::audit::{Audit, Consistency, Settings, State, Subject, UnitAudit, Verdict, Warning};
use record::{Epoch, Run, Status};
use std::time::Instant;

/// What was found, from either source.
struct Found {
    states: Vec<State>,
    units: Vec<UnitAudit>,
    samples: u64,
    growth: Option<f64>,
    error: Option<f64>,
    direction: Option<f64>,
    consistency: Consistency,
    checkpoint: Option<String>,
    warnings: Vec<Warning>,
}

/// Audits a run under the name of its `group`. `others` are the runs among which its baseline may be, `data` what it was
/// trained on or why that is not at hand.
pub(super) fn audit_run(
    run: &Run,
    group: &str,
    others: &[Run],
    data: Result<&Dataset, String>,
    options: &AuditOptions,
) -> Result<Audit, Error> {
    let begun = Instant::now();
    let (spec, recipe_hash) = spec(run)?;
    let last = run
        .last()
        .ok_or_else(|| record::Error::malformed(&run.path, "it has no epoch yet: nothing to judge"))?;
    let limits = spec.thresholds;
    let settings = settings(&spec, options);
    let wanted_epochs = spec.last_epoch;
    // A baseline lends its accuracy; its own credit moves nothing.
    let source = if options.log_only {
        Err("as asked".to_owned())
    } else if is_frozen(run) {
        Err(String::new())
    } else {
        data.and_then(|data| Ok((load(run, spec)?, data)))
    };
    // The log may have gone on after the last checkpoint: what is measured and what is read must be of one epoch.
    let position = source.as_ref().ok().map(|(loaded, _)| loaded.checkpoint.position());
    let run = &until(run, position.map(|position| position.epoch));
    let last = run.last().unwrap_or(last);
    let frozen = if is_frozen(run) { None } else { frozen_accuracy(run, others) };
    let subject = |checkpoint: Option<String>| subject(run, group, &recipe_hash, checkpoint);
    let found = match source {
        Ok((loaded, data)) => {
            let same = subject(Some(loaded.checkpoint.digest.clone()));
            match reusable(run, &same, &settings, frozen, options) {
                Some(audit) => return Ok(audit),
                None => measured(run, &loaded, data, &settings, options.threads.unwrap_or(1)),
            }
        }
        Err(why) => logged(last, why),
    };
    let stopped = matches!(run.record.status, Status::Stopped { .. });
    let finite = |x: Option<f64>| if stopped { Some(f64::NAN) } else { x };
    let facts = Facts {
        // A run that broke off did so at numbers that are not finite, whatever it measured before.
        growth: finite(found.growth),
        gradient: finite(
            found.states.last().and_then(|s| s.gradient).map(|p| p / Thresholds::FLOOR_SAMPLES as f64),
        ),
        error: found.error.filter(|_| !stopped),
        direction: found.direction,
        accuracy: Some(last.test.accuracy),
        frozen,
        is_frozen: is_frozen(run),
    };
    let checks = checks(&facts, &history(run), &found.consistency, &limits);
    let mut warnings = found.warnings;
    if let Some(step) = position.map(|position| position.step).filter(|&step| step > 0) {
        warnings.push(Warning::MidEpoch { epoch: last.epoch, step });
    }
    if found.checkpoint.is_some() && (1..20).contains(&settings.draws) {
        warnings.push(Warning::TooFewDraws { draws: settings.draws });
    }
    if recipe_hash != run.record.provenance.recipe_hash {
        warnings.push(Warning::RecipeChanged);
    }
    warnings.extend(run_warnings(run, last, wanted_epochs, &found.units, settings.step));
    Ok(Audit {
        schema: Audit::SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        subject: subject(found.checkpoint),
        settings,
        epoch: Some(last.epoch),
        samples: found.samples,
        accuracy: Some(last.test.accuracy),
        frozen,
        error: found.error,
        gamma: gamma(&found.units),
        states: found.states,
        units: found.units,
        verdict: Verdict::of(&checks),
        checks,
        consistency: found.consistency,
        warnings,
        seconds: begun.elapsed().as_secs_f64(),
    })
}

fn settings(spec: &RunSpec, options: &AuditOptions) -> Settings {
    let samples = options.samples.min(spec.source.dimensions().test as u64);
    let usual = audit::settings(&spec.thresholds, samples);
    let null_samples = usual.null_samples.min(samples);
    Settings {
        directions: options.directions,
        draws: options.draws,
        probe: options.probe,
        null_samples,
        ..usual
    }
}

/// The run as far as its checkpoint goes.
fn until(run: &Run, epoch: Option<u64>) -> Run {
    let mut run = run.clone();
    run.epochs.retain(|logged| epoch.is_none_or(|epoch| logged.epoch <= epoch));
    run
}

fn subject(run: &Run, group: &str, recipe_hash: &str, checkpoint: Option<String>) -> Subject {
    let (record, from) = (&run.record, &run.record.provenance);
    Subject::Run {
        id: record.id.clone(),
        group: group.to_owned(),
        rule: record.rule.clone(),
        seed: from.seed,
        frozen: is_frozen(run),
        recipe_hash: recipe_hash.to_owned(),
        data_hash: from.data_hash.clone(),
        checkpoint,
    }
}

/// An audit that is there already and says the same that a new one would.
fn reusable(
    run: &Run,
    same: &Subject,
    settings: &Settings,
    frozen: Option<f64>,
    options: &AuditOptions,
) -> Option<Audit> {
    let old = Audit::read(&run.path).ok().flatten().filter(|_| !options.again)?;
    let same = old.subject == *same
        && old.settings == *settings
        && old.frozen == frozen
        && old.epoch == run.last().map(|epoch| epoch.epoch)
        && old.version == env!("CARGO_PKG_VERSION");
    same.then_some(old)
}

fn measured(run: &Run, loaded: &Loaded, data: &Dataset, settings: &Settings, threads: usize) -> Found {
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
    Found {
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

/// From the log; an empty reason is not worth a warning.
fn logged(last: &Epoch, why: String) -> Found {
    let states = states(last);
    let reason = if why.is_empty() {
        "a frozen baseline".to_owned()
    } else {
        format!("the log alone was read: {why}")
    };
    Found {
        growth: state_growth(&states),
        states,
        units: units(last),
        samples: last.evaluation.samples,
        error: Some(last.evaluation.error),
        direction: None,
        consistency: Consistency::NotAssessed { why: reason },
        checkpoint: None,
        warnings: if why.is_empty() { vec![] } else { vec![Warning::LogOnly { why }] },
    }
}

fn run_warnings(run: &Run, last: &Epoch, wanted: u64, units: &[UnitAudit], asked: f64) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Status::Stopped { reason, .. } = &run.record.status {
        warnings.push(Warning::Stopped { reason: reason.clone() });
    } else if !run.record.status.is_complete() {
        warnings.push(Warning::Unfinished { epoch: last.epoch, of: wanted });
    }
    if is_frozen(run) {
        return warnings;
    }
    warnings.extend(unit_warnings(units, asked));
    warnings
}
