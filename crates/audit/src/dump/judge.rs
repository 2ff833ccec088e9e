//! Dumps of one run put together to an audit.

use super::broken::{Broken, broken};
use super::epochs::Epochs;
use super::missing::missing;
use super::overview::Overview;
use super::scale::scale;
use super::units::{last_state, units};
use super::{Dump, DumpOptions, Error, Fault, Loss, read};
use crate::{DIRECTION_BATCH, DIRECTION_BATCHES, direction_stability};
use protocol::warnings::{of_units, too_few_samples};
use protocol::{Facts, checks, gamma, settings, verdict};
use record::audit::{Audit, CheckId, CheckResult, Consistency, Outcome, Settings, State, Subject, Warning};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Judges a run by its dumps: files are its epochs, in order. Each is read and dropped before the next; the last is judged
/// in full, those before it tell when a check fired first.
///
/// ```
/// use audit::dump::{DumpOptions, judge};
/// let refusal = judge(&["no-such-dump.npz".into()], &DumpOptions::default()).unwrap_err();
/// assert!(refusal.to_string().starts_with("no-such-dump.npz: cannot be read"));
/// ```
pub fn judge(paths: &[PathBuf], options: &DumpOptions) -> Result<Audit, Error> {
    let begun = Instant::now();
    let mut epochs = Epochs::default();
    let Some((last, before)) = paths.split_last() else {
        let fault = Fault::layout("no dump is given", "give at least one file");
        return Err(Error { path: PathBuf::new(), fault });
    };
    for path in before {
        look(path, options, &mut epochs)?;
    }
    let (dump, overview) = look(last, options, &mut epochs)?;
    let mut audit = whole(&dump, &overview, epochs, options);
    audit.seconds = begun.elapsed().as_secs_f64();
    Ok(audit)
}

/// Reads a dump and adds it to the epochs.
fn look(path: &Path, options: &DumpOptions, epochs: &mut Epochs) -> Result<(Dump, Overview), Error> {
    let mut dump = read(path)?;
    let fault = |fault: Fault| Error { path: path.to_owned(), fault };
    let taken = scale(&mut dump, options.mean_over).map_err(fault)?;
    let overview = Overview::of(&dump, taken, &options.limits);
    epochs.add(&dump, &overview).map_err(fault)?;
    Ok((dump, overview))
}

/// The audit of the last dump, with the history of those before it.
fn whole(dump: &Dump, overview: &Overview, epochs: Epochs, options: &DumpOptions) -> Audit {
    let (settings, broken) = (asked(dump, overview, options), broken(dump));
    let units = units(dump, overview, &broken, &settings);
    let middle = overview.reference(dump, dump.blocks / 2);
    let facts = Facts {
        growth: overview.growth(),
        gradient: overview.floor_norm(),
        error: overview.error,
        direction: middle
            .and_then(|p| direction_stability(&p.values, p.width, DIRECTION_BATCH, DIRECTION_BATCHES)),
        accuracy: options.accuracy.or(overview.accuracy),
        frozen: options.frozen,
        is_frozen: false,
    };
    let consistency =
        Consistency::NotAssessed { why: "a dump tells nothing of weights and feedback".to_owned() };
    let mut checks = checks(&facts, epochs.history(), &consistency, &options.limits);
    if overview.contested {
        let why = "the dumped gradient at h_L is not the one that head, labels and h_L give, and they disagree here";
        leave_open(&mut checks, CheckId::D2, why);
    }
    if facts.direction.is_none() && middle.is_none() {
        leave_open(&mut checks, CheckId::Direction, "no gradients");
    } else if facts.direction.is_none() && dump.samples >= DIRECTION_BATCH * DIRECTION_BATCHES {
        leave_open(&mut checks, CheckId::Direction, "the gradient of a batch has no direction");
    }
    let mut warnings = warnings(dump, overview, &broken, options);
    warnings.extend(epochs.samples_differ());
    warnings.extend(of_units(&units, settings.step));
    let state = |l: usize| State {
        hidden: overview.hidden.get(l).copied(),
        gradient: overview.gradient[l],
        ..State::default()
    };
    Audit {
        schema: Audit::SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings,
        epoch: epochs.last(),
        samples: dump.samples as u64,
        accuracy: facts.accuracy,
        frozen: facts.frozen,
        error: facts.error,
        states: (0..=dump.blocks).map(state).collect(),
        gamma: gamma(&units),
        units,
        verdict: verdict(&checks),
        checks,
        consistency,
        warnings,
        seconds: 0.0,
        subject: Subject::Dump { id: name(&dump.path), hashes: epochs.hashes() },
    }
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The settings, with zeros for what this dump does not permit to be measured.
fn asked(dump: &Dump, overview: &Overview, options: &DumpOptions) -> Settings {
    let usual = settings(&options.limits, dump.samples as u64);
    let loss = last_state(dump, overview).is_some();
    let some =
        (dump.gradients.is_some() || loss) && (dump.credit.embed.is_some() || !dump.credit.blocks.is_empty());
    Settings {
        directions: if loss { options.directions } else { 0 },
        etas: if loss { usual.etas } else { Vec::new() },
        draws: if some { options.draws } else { 0 },
        null_samples: usual.null_samples.min(dump.samples as u64),
        ..usual
    }
}

/// A check that turns out not to be assessable, and why.
fn leave_open(checks: &mut [CheckResult], id: CheckId, why: &str) {
    let found = checks.iter_mut().filter(|check| check.check == id);
    found.for_each(|check| check.outcome = Outcome::NotAssessed { why: why.to_owned() });
}

/// What a reader should know of the dump itself, gravest first.
fn warnings(dump: &Dump, overview: &Overview, broken: &[Broken], options: &DumpOptions) -> Vec<Warning> {
    let samples = dump.samples as u64;
    let names: Vec<String> = broken.iter().map(Broken::words).collect();
    let mut warnings = Vec::new();
    if !names.is_empty() {
        warnings.push(Warning::NotFinite { tensors: names });
    }
    warnings.extend(overview.warnings.iter().cloned());
    if !dump.half.is_empty() {
        warnings.push(Warning::HalfPrecision { tensors: dump.half.clone() });
    }
    let mean = dump.gradients.as_ref().is_some_and(|gradients| gradients.of == Loss::Mean);
    if mean && options.mean_over.is_none() && !overview.sized {
        warnings.push(Warning::SamplesAssumed { samples });
    }
    warnings.extend(missing(dump, overview));
    if !dump.ignored.is_empty() {
        let tensors = dump.ignored.iter().map(|ignored| match &ignored.meant {
            Some(meant) => format!("{} (meant as {meant}?)", ignored.name),
            None => ignored.name.clone(),
        });
        warnings.push(Warning::Ignored { tensors: tensors.collect() });
    }
    warnings.extend(too_few_samples(samples));
    if options.accuracy.is_none() && overview.accuracy.is_some() {
        warnings.push(Warning::AccuracyOfSamples { samples });
    }
    warnings
}
