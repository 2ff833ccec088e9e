//! The audit of the dumps of one run.

use super::DumpOptions;
use super::epochs::Epochs;
use super::overview::Overview;
use super::tested::Tested;
use super::units::units;
use crate::dump::layout::{Broken, broken, scale};
use crate::dump::{Dump, DumpFault, Error, Loss};
use crate::measurements::{DIRECTION_BATCH, DIRECTION_BATCHES, direction_stability};
use protocol::warnings::{of_units, too_few_samples};
use protocol::{Facts, checks, gamma, verdict};
use record::Unit;
use record::audit::{Audit, Consistency, State, Subject, Warning};
use std::borrow::Cow;
use std::time::Instant;

/// Judges one dump. It is copied if its gradients are of a mean, since they are scaled first.
///
/// ```
/// use audit::dump::{Array, Dump, DumpOptions, Values, judge};
/// // Two samples, one block; the credit of the block is the gradient at its output.
/// let h = [1.0, 2.0, 3.0, 4.0];
/// let p = [0.5, -0.5, 0.25, 0.0];
/// let array = |name, values| Array { name, shape: &[2, 2], values: Values::F64(values) };
/// let arrays = [array("h.0", &h), array("h.1", &h), array("p.0", &p), array("p.1", &p), array("a.0", &p)];
/// let audit = judge(&Dump::from_arrays("mine", &arrays)?, &DumpOptions::default())?;
/// let evidence = audit.units[0].here.as_ref().expect("there is a gradient at h.1");
/// assert!(evidence.cosine.defined().is_some_and(|cosine| (cosine - 1.0).abs() < 1e-12));
/// # Ok::<(), audit::dump::Error>(())
/// ```
pub fn judge(dump: &Dump, options: &DumpOptions) -> Result<Audit, Error> {
    run(std::iter::once(Ok(Cow::Borrowed(dump))), options)
}

/// Judges the dumps of one run, its epochs in order. Each is dropped before the next is read; the last is judged in full,
/// the earlier ones show when a check fired first.
pub fn judge_epochs(
    dumps: impl ExactSizeIterator<Item = Result<Dump, Error>>,
    options: &DumpOptions,
) -> Result<Audit, Error> {
    run(dumps.map(|dump| dump.map(Cow::Owned)), options)
}

fn run<'a>(
    mut dumps: impl ExactSizeIterator<Item = Result<Cow<'a, Dump>, Error>>,
    options: &DumpOptions,
) -> Result<Audit, Error> {
    let begun = Instant::now();
    let mut epochs = Epochs::default();
    while let Some(dump) = dumps.next() {
        let mut dump = dump?;
        let overview = look(&mut dump, options, &mut epochs)
            .map_err(|fault| Error { dump: dump.origin.to_string(), fault })?;
        if dumps.len() == 0 {
            let mut audit = whole(&dump, &overview, epochs, options);
            audit.seconds = begun.elapsed().as_secs_f64();
            return Ok(audit);
        }
    }
    let fault = DumpFault::layout("nothing is given to judge", "give at least one dump");
    Err(Error { dump: "no dump".to_owned(), fault })
}

/// Scales the gradients of a dump and adds it to the epochs.
fn look(dump: &mut Cow<'_, Dump>, options: &DumpOptions, epochs: &mut Epochs) -> Result<Overview, DumpFault> {
    options.check()?;
    let taken = scale(dump, options.mean_over)?;
    let overview = Overview::of(dump, taken, &options.limits);
    epochs.add(dump, &overview)?;
    Ok(overview)
}

/// The audit of the last dump, with the history of the earlier ones.
fn whole(dump: &Dump, overview: &Overview, epochs: Epochs, options: &DumpOptions) -> Audit {
    let settings = overview.settings(dump, options);
    let broken = broken(dump);
    let units = units(dump, overview, &broken, &settings);
    let middle = overview.middle(dump);
    let facts = Facts {
        growth: overview.growth(),
        gradient: overview.floor_norm(),
        error: overview.error,
        direction: middle
            .and_then(|p| direction_stability(&p.values, p.width, DIRECTION_BATCH, DIRECTION_BATCHES)),
        accuracy: options.accuracy.or(dump.about.accuracy).or(overview.accuracy),
        frozen: options.frozen.or(dump.about.frozen_accuracy),
        is_frozen: false,
    };
    let consistency =
        Consistency::NotAssessed { why: "a dump does not contain weights and feedback".to_owned() };
    let mut checks = checks(&facts, epochs.history(), &consistency, &options.limits);
    overview.leave_open(dump, &mut checks);
    let mut warnings = warnings(dump, overview, &broken, options);
    warnings.extend(epochs.samples_differ());
    warnings.extend(of_units(&units, settings.step));
    let direct =
        units.iter().map(|unit| unit.unit).filter(|unit| overview.feedback(dump, unit.state()).is_some());
    let direct: Vec<Unit> = direct.collect();
    if !direct.is_empty() {
        warnings.push(Warning::DirectFeedback { units: direct });
    }
    let state = |l: usize| State {
        hidden: overview.hidden.get(l).copied(),
        gradient: overview.gradient[l],
        reference: overview.tested[l].and_then(Tested::numbers),
        ..State::default()
    };
    Audit {
        carried: None,
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
        verdict: overview.verdict(verdict(&checks)),
        checks,
        consistency,
        warnings,
        seconds: 0.0,
        subject: Subject::Dump {
            id: dump.origin.id(),
            rule: dump.about.rule.clone(),
            seed: dump.about.seed,
            hashes: epochs.hashes(),
        },
    }
}

/// Warnings about the dump itself.
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
    warnings.extend(overview.missing(dump));
    if !dump.ignored.is_empty() {
        let tensors = dump.ignored.iter().map(|ignored| match &ignored.meant {
            Some(meant) => format!("{} (meant as {meant}?)", ignored.name),
            None => ignored.name.clone(),
        });
        warnings.push(Warning::Ignored { tensors: tensors.collect() });
    }
    warnings.extend(too_few_samples(samples));
    let given = options.accuracy.or(dump.about.accuracy);
    if given.is_none() && overview.accuracy.is_some() {
        warnings.push(Warning::AccuracyOfSamples { samples });
    }
    warnings
}
