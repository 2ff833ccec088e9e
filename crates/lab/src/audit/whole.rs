//! The audit of one run: what was found, judged.

use super::AuditOptions;
use super::found::{Found, kept};
use super::log::history;
use super::subject::{Unmeasured, load, spec};
use crate::{Error, RunSpec};
use audit::{Facts, Thresholds, checks, frozen_accuracy, gamma, is_frozen, unit_warnings};
use data::Dataset;
use record::audit::{Audit, Settings, Subject, UnitAudit, Verdict, Warning};
use record::{Epoch, Run, Status};
use std::time::Instant;

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
        Err(Unmeasured::Lacking("as asked".to_owned()))
    } else if is_frozen(run) {
        Err(Unmeasured::Needless("a frozen baseline"))
    } else {
        data.map_err(Unmeasured::Lacking).and_then(|data| Ok((load(run, spec)?, data)))
    };
    // The log may have gone on after the last checkpoint: what is measured and what is read must be of one epoch.
    let run = &until(run, source.as_ref().ok().map(|(loaded, _)| loaded.checkpoint.position().epoch));
    let last = run.last().unwrap_or(last);
    let frozen = if is_frozen(run) { None } else { frozen_accuracy(run, others) };
    let mut old = kept(run, &recipe_hash, options);
    if let (Ok((loaded, _)), Some(audit)) = (&source, &old) {
        let digest = Some(&loaded.checkpoint.digest);
        let same = matches!(&audit.subject, Subject::Run { checkpoint, .. } if checkpoint.as_ref() == digest)
            && audit.settings == settings
            && audit.version == env!("CARGO_PKG_VERSION");
        old = old.filter(|_| same);
    }
    let found = match (&old, source) {
        (Some(old), _) => Found::kept(old),
        (None, Ok((loaded, data))) => {
            Found::measured(run, &loaded, data, &settings, options.threads.unwrap_or(1))
        }
        (None, Err(why)) => Found::logged(last, why),
    };
    // What classifies nothing has no accuracy.
    let accuracy = Some(last.test.accuracy).filter(|accuracy| !accuracy.is_nan());
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
        accuracy,
        frozen,
        is_frozen: is_frozen(run),
    };
    let checks = checks(&facts, &history(run), &found.consistency, &limits);
    let mut warnings = found.warnings;
    if recipe_hash != run.record.provenance.recipe_hash {
        warnings.push(Warning::RecipeChanged);
    }
    warnings.extend(run_warnings(run, last, wanted_epochs, &found.units, settings.step));
    Ok(Audit {
        schema: Audit::SCHEMA.to_owned(),
        version: old.as_ref().map_or(env!("CARGO_PKG_VERSION"), |old| &old.version).to_owned(),
        subject: subject(run, group, &recipe_hash, found.checkpoint),
        settings: old.as_ref().map_or(settings, |old| old.settings.clone()),
        epoch: Some(last.epoch),
        samples: found.samples,
        accuracy,
        frozen,
        error: found.error,
        gamma: gamma(&found.units),
        states: found.states,
        units: found.units,
        verdict: Verdict::of(&checks),
        checks,
        consistency: found.consistency,
        warnings,
        seconds: old.map_or_else(|| begun.elapsed().as_secs_f64(), |old| old.seconds),
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

fn run_warnings(run: &Run, last: &Epoch, wanted: u64, units: &[UnitAudit], asked: f64) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Status::Stopped { reason, .. } = &run.record.status {
        warnings.push(Warning::Stopped { reason: reason.clone() });
    } else if !run.record.status.is_complete()
        || (run.record.status == Status::Finished && last.epoch < wanted)
    {
        warnings.push(Warning::Unfinished { epoch: last.epoch, of: wanted });
    }
    if is_frozen(run) {
        return warnings;
    }
    warnings.extend(unit_warnings(units, asked));
    warnings
}
