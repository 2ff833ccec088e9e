//! The audit of one run: findings and verdicts.

use super::AuditOptions;
use super::asked::{Asked, asked};
use super::basis::{Found, kept};
use super::subject::{Unmeasured, load};
use crate::train::intact;
use crate::{Error, training_keys};
use data::Dataset;
use protocol::baseline::{frozen_accuracy, is_frozen};
use protocol::{Facts, Moment, checks, gamma, last_gradient, modifiers, verdict, warnings};
use record::Run;
use record::audit::{Audit, Settings, Subject};
use std::time::Instant;

/// Audits a run under the name of its `group`. `others` are the runs that may contain its baseline. `data` is its data set, or
/// why that is not available.
pub(super) fn audit_run(
    run: &Run,
    group: &str,
    others: &[Run],
    data: Result<&Dataset, String>,
    options: &AuditOptions,
) -> Result<Audit, Error> {
    let begun = Instant::now();
    let asked = asked(run)?;
    let settings = settings(&asked, options);
    let Asked { recipe_hash, limits, last_epoch: wanted_epochs, spec, .. } = asked;
    let last = run
        .last()
        .ok_or_else(|| record::Error::malformed(&run.path, "it has no epoch yet: nothing to judge"))?;
    // Only the accuracy of a baseline is used; its credit changes nothing.
    let source = if options.log_only {
        Err(Unmeasured::Needless("the log alone was read, as asked"))
    } else if !options.measure {
        Err(Unmeasured::Needless("no audit was made of it, and the log was read"))
    } else if is_frozen(&run.recipe) {
        Err(Unmeasured::Needless("a frozen baseline"))
    } else {
        spec.and_then(|spec| data.map_err(Unmeasured::Lacking).and_then(|data| Ok((load(run, spec)?, data))))
    };
    // The log may be longer than the last checkpoint. Measured and logged values must be from the same epoch.
    let run = &until(run, source.as_ref().ok().map(|(loaded, _)| loaded.checkpoint.position().epoch));
    let last = run.last().unwrap_or(last);
    let frozen = frozen_accuracy(run, others, &crate::training_keys);
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
            let found = Found::measured(run, &loaded, data, &settings, options.threads.unwrap_or(1));
            intact(&loaded.spec, &loaded.learner)?;
            found
        }
        (None, Err(why)) => Found::logged(last, why, &limits),
    };
    // A network that does not classify has no accuracy.
    let accuracy = Some(last.test.accuracy).filter(|accuracy| !accuracy.is_nan());
    let facts = Facts {
        growth: found.growth,
        gradient: last_gradient(found.states.iter().map(|state| state.gradient)),
        error: found.error,
        direction: found.direction,
        accuracy,
        frozen,
        is_frozen: is_frozen(&run.recipe),
    };
    let history: Vec<Moment> = run.epochs.iter().map(Moment::of).collect();
    let checks = checks(&facts.ended(&run.record.status), &history, &found.consistency, &limits);
    let mut warnings = found.warnings;
    warnings.extend(warnings::of_elsewhere(run, old.is_some()));
    warnings.extend(warnings::of_run(run, &recipe_hash, last.epoch, wanted_epochs));
    // For a baseline only the accuracy counts.
    if !is_frozen(&run.recipe) {
        warnings.extend(warnings::of_units(&found.units, settings.step));
    }
    Ok(Audit {
        schema: Audit::SCHEMA.to_owned(),
        version: old.as_ref().map_or(env!("CARGO_PKG_VERSION"), |old| &old.version).to_owned(),
        subject: subject(run, group, &recipe_hash, found.checkpoint),
        settings: old.as_ref().map_or(settings, |old| old.settings.clone()),
        epoch: Some(last.epoch),
        samples: found.samples,
        carried: found.carried,
        accuracy,
        frozen,
        error: found.error,
        gamma: gamma(&found.units),
        states: found.states,
        units: found.units,
        verdict: verdict(&checks),
        checks,
        consistency: found.consistency,
        warnings,
        seconds: old.map_or_else(|| begun.elapsed().as_secs_f64(), |old| old.seconds),
    })
}

fn settings(asked: &Asked, options: &AuditOptions) -> Settings {
    let samples = options.samples.min(asked.test);
    let usual = protocol::settings(&asked.limits, samples);
    let null_samples = usual.null_samples.min(samples);
    Settings {
        directions: options.directions,
        draws: options.draws,
        probe: options.probe,
        null_samples,
        ..usual
    }
}

/// The run up to the epoch of its checkpoint.
fn until(run: &Run, epoch: Option<u64>) -> Run {
    let mut run = run.clone();
    run.epochs.retain(|logged| epoch.is_none_or(|epoch| logged.epoch <= epoch));
    run
}

fn subject(run: &Run, group: &str, recipe_hash: &str, checkpoint: Option<String>) -> Subject {
    let record = &run.record;
    let from = &record.provenance;
    // A record may be older than a key that its training depends on.
    let mut recipe = run.recipe.clone();
    training_keys(&mut recipe);
    Subject::Run {
        id: record.id.clone(),
        group: group.to_owned(),
        rule: record.rule.clone(),
        seed: from.seed,
        frozen: is_frozen(&run.recipe),
        recipe_hash: recipe_hash.to_owned(),
        data_hash: from.data_hash.clone(),
        checkpoint,
        modifiers: Some(modifiers(&recipe, record.network.blocks as u64)),
    }
}
