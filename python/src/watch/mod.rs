//! The run directory of a training that is done elsewhere.

mod start;

use crate::fault::Fault;
use crate::judged::Judged;
use crate::recipe::toml_of;
use crate::remedy::with_keywords;
use ::audit::EpochSums;
use lab::now;
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use protocol::{Moment, Thresholds, at_floor, base_name, baseline, modifiers, thresholds};
use protocol::{reference_validity, scale_stability};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use record::audit::{Audit, Consistency, Outcome, Subject};
use record::durable::{self, Holder, Log};
use record::{Epoch, EpochAudit, Evaluation, Remedy};
use record::{Run, RunRecord, Score, Status};
use start::{Facts, continued, record_of};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Relative difference of norms up to which a network is the one that the log speaks of.
const SAME_NETWORK: f64 = 1e-4;

/// The writer of a run directory whose training is watched.
#[pyclass(module = "creditscope._core")]
pub(crate) struct Watch {
    path: PathBuf,
    record: RunRecord,
    text: String,
    recipe: BTreeMap<String, Value>,
    limits: Thresholds,
    /// Lines of the log that is there.
    lines: u64,
    /// None before the run begins.
    log: Option<Log>,
    last: Option<Epoch>,
    sums: Option<EpochSums>,
}

#[pymethods]
impl Watch {
    /// Looks at the directory. With `resume`, a run that is there goes on after its last epoch, or after epoch `keep`.
    #[new]
    fn new(path: PathBuf, facts: Facts, resume: bool, keep: Option<u64>) -> PyResult<Self> {
        let there = [Run::RECORD, Run::METRICS, Run::CHECKPOINT, Run::AUDIT];
        let there = there.into_iter().find(|file| path.join(file).exists());
        let recipe =
            facts.recipe.parse().map_err(|e| Fault::internal(format!("a recipe that is no TOML: {e}")))?;
        let recipe = record::flatten(recipe);
        let text = facts.recipe.clone();
        let mut record = record_of(&path, facts);
        let mut epochs = Vec::new();
        match there {
            Some(file) if !resume => {
                let shown = record::escape::path(&path);
                let message =
                    format!("{shown} holds a run already ({file}): continue it, or choose another folder");
                let message = with_keywords(message, [Remedy::Resume, Remedy::OtherFolder]);
                return Err(Fault::new("RunError", message).into());
            }
            Some(_) => epochs = continued(&path, &mut record, keep)?,
            None => {}
        }
        let limits = thresholds(|key| recipe.get(key));
        let lines = epochs.len() as u64;
        Ok(Self { path, record, text, recipe, limits, lines, log: None, last: epochs.pop(), sums: None })
    }

    /// Opens the directory, or takes it over.
    fn begin(&mut self) -> PyResult<()> {
        let begun = || {
            durable::create_folders(&self.path)?;
            durable::write(&self.path.join(Run::RECIPE), self.text.as_bytes())?;
            self.record.write(&self.path)?;
            Log::open(&self.path.join(Run::METRICS), self.lines)
        };
        self.log = Some(begun().map_err(Fault::from)?);
        Ok(())
    }

    /// The keys of a recipe as TOML.
    #[staticmethod]
    fn recipe(keys: &Bound<'_, PyDict>) -> PyResult<String> {
        let mut table = Table::new();
        for (key, value) in keys.iter() {
            let key: String = key.extract()?;
            let value = toml_of(&key, &value)?;
            match key.split_once('.') {
                None => table.insert(key, value),
                Some((section, name)) => {
                    let section = table.entry(section).or_insert_with(|| Table::new().into());
                    section.as_table_mut().and_then(|section| section.insert(name.to_owned(), value))
                }
            };
        }
        Ok(toml::to_string(&table).map_err(|e| Fault::new("UsageError", format!("recipe=: {e}")))?)
    }

    /// The last epoch of the log, if there is any.
    #[getter]
    fn last_epoch(&self) -> Option<u64> {
        self.last.as_ref().map(|last| last.epoch)
    }

    /// Adds the signals of some samples: states, gradients and credits at h_0 … h_L, and e.
    fn add(
        &mut self,
        h: Vec<PyReadonlyArray2<'_, f32>>,
        p: Vec<PyReadonlyArray2<'_, f64>>,
        a: Vec<PyReadonlyArray2<'_, f32>>,
        error: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let widths: Vec<usize> = h.iter().map(|h| h.shape()[1]).collect();
        let sums = self.sums.get_or_insert_with(|| EpochSums::new(widths.clone()));
        for l in 0..widths.len() {
            // Credit is compared at a block's input where both are states of one size.
            let next = a.get(l + 1).filter(|_| widths[l + 1] == widths[l]);
            let at_input = next.map(|a| a.as_slice()).transpose()?;
            sums.add(l, h[l].as_slice()?, p[l].as_slice()?, a[l].as_slice()?, at_input);
        }
        sums.add_error(error.as_slice()?, error.shape()[1]);
        Ok(())
    }

    /// Forgets the signals that were added.
    fn clear(&mut self) {
        self.sums = None;
    }

    /// Whether the gradient at each state, by the signals that were added, is below the floor.
    fn below_floor(&self) -> PyResult<Vec<bool>> {
        let found = self.evaluation(self.sums.clone())?;
        Ok(found.gradient().into_iter().map(|p| at_floor(p) < self.limits.floor).collect())
    }

    /// Whether the network that was added is the one that the last line of the log speaks of.
    fn is_where_it_was(&mut self) -> PyResult<bool> {
        let sums = self.sums.take();
        let found = self.evaluation(sums)?;
        let Some(last) = &self.last else { return Ok(true) };
        let near = |(a, b): (&f64, &f64)| a == b || (a - b).abs() <= SAME_NETWORK * a.abs().max(b.abs());
        let same = |a: Vec<f64>, b: Vec<f64>| {
            let broken = a.iter().chain(&b).any(|x| x.is_nan());
            broken || a.iter().zip(&b).all(near)
        };
        let seen = &last.evaluation;
        Ok(same(found.hidden(), seen.hidden()) && same(found.gradient(), seen.gradient()))
    }

    /// Ends an epoch: its line goes to the disk. `train` and `test` are loss and accuracy, `seconds` those of training, of the
    /// measurement and of the audit. Returns the check of `audit.stop_on` that fires, if one does.
    #[expect(clippy::too_many_arguments, reason = "one per keyword of `Watch.epoch`")]
    fn epoch(
        &mut self,
        epoch: u64,
        lr: Option<f64>,
        train: Option<(f64, f64)>,
        test: (f64, f64),
        of_samples: bool,
        is_stream: bool,
        audit: Option<PyRef<'_, Judged>>,
        seconds: (f64, f64, f64),
    ) -> PyResult<Option<String>> {
        let score = |(loss, accuracy)| Score { loss, accuracy };
        let sums = self.sums.take();
        let mut evaluation = self.evaluation(sums)?;
        if !is_stream {
            evaluation.growth = f64::NAN;
        }
        let audit = audit.as_deref().map(|judged| only(judged)).transpose()?.map(|audit| EpochAudit {
            samples: audit.samples,
            directions: audit.settings.directions,
            draws: audit.settings.draws,
            units: audit.units.clone(),
        });
        let line = Epoch {
            epoch,
            lr,
            train: train.map(score),
            validation: None,
            test: score(test),
            evaluation,
            audit,
            feedback: None,
            train_seconds: seconds.0,
            test_seconds: 0.0,
            evaluation_seconds: seconds.1,
            audit_seconds: seconds.2,
        };
        let log = self.log.as_mut();
        let log = log.ok_or_else(|| Fault::internal("the run has not begun"))?;
        check_ours(&self.path, log)?;
        // Before training there is rarely a score, and nothing is concluded from it.
        if let Some(elsewhere) = &mut self.record.provenance.elsewhere
            && of_samples
            && epoch > 0
            && !elsewhere.accuracy_of_samples
        {
            elsewhere.accuracy_of_samples = true;
            self.record.write(&self.path).map_err(Fault::from)?;
        }
        let text = serde_json::to_string(&line).map_err(Fault::internal)?;
        log.append(&text).and_then(|()| log.sync()).map_err(Fault::from)?;
        self.last = Some(line);
        Ok(self.fires())
    }

    /// Ends the run: interrupted, or by how its last epoch was. `audit` is of the network at its end, whose weights have this
    /// digest.
    fn end(
        &mut self,
        interrupted: bool,
        audit: Option<PyRef<'_, Judged>>,
        digest: Option<String>,
    ) -> PyResult<()> {
        let Some(log) = &self.log else { return Ok(()) };
        check_ours(&self.path, log)?;
        if let Some((judged, digest)) = audit.as_deref().zip(digest) {
            let audit = self.audit(only(judged)?, digest);
            audit.write(&self.path).map_err(Fault::from)?;
        }
        self.record.status = if interrupted { Status::Interrupted } else { self.status() };
        self.record.provenance.ended = Some(now());
        Ok(self.record.write(&self.path).map_err(Fault::from)?)
    }
}

impl Watch {
    fn evaluation(&self, sums: Option<EpochSums>) -> PyResult<Evaluation> {
        let sums = sums.ok_or_else(|| Fault::internal("nothing was measured"))?;
        Ok(sums.finish(self.limits.floor))
    }

    /// The first check of `audit.stop_on` that fires on the last line.
    fn fires(&self) -> Option<String> {
        let moment = Moment::of(self.last.as_ref()?);
        let fires = |check: &&str| {
            let outcome = match *check {
                "D1" => scale_stability(moment.growth, &self.limits),
                _ => reference_validity(moment.gradient, moment.error, &self.limits),
            };
            outcome == Outcome::Fires
        };
        let asked = self.recipe.get("audit.stop_on").and_then(Value::as_array);
        asked?.iter().filter_map(Value::as_str).find(fires).map(str::to_owned)
    }

    /// How the run came to its end.
    fn status(&self) -> Status {
        let Some(last) = &self.last else { return Status::Interrupted };
        let epoch = last.epoch;
        if !last.test.loss.is_finite() {
            let word = if last.test.loss.is_nan() { "not a number" } else { "infinite" };
            let reason = format!("the test loss became {word} after epoch {epoch}");
            return Status::Stopped { reason, epoch, step: 0 };
        }
        self.fires().map_or(Status::Finished, |check| Status::Halted { check, epoch })
    }

    /// An audit of the model as one of the run.
    fn audit(&self, audit: &Audit, digest: String) -> Audit {
        let from = &self.record.provenance;
        let why = "trained elsewhere: nothing shows which credit trained it".to_owned();
        let accuracy = self.last.as_ref().map(|last| last.test.accuracy);
        Audit {
            epoch: self.last_epoch(),
            accuracy: accuracy.filter(|accuracy| !accuracy.is_nan()),
            consistency: Consistency::NotAssessed { why },
            subject: Subject::Run {
                id: self.record.id.clone(),
                group: base_name(&self.record.id, from.seed).to_owned(),
                rule: self.record.rule.clone(),
                seed: from.seed,
                frozen: baseline::is_frozen(&self.recipe),
                recipe_hash: from.recipe_hash.clone(),
                data_hash: from.data_hash.clone(),
                checkpoint: Some(digest),
                modifiers: Some(modifiers(&self.recipe, self.record.network.blocks as u64)),
            },
            ..audit.clone()
        }
    }
}

/// Before everything that is written: another process may have taken the run over, or somebody removed its log.
fn check_ours(path: &Path, log: &Log) -> Result<(), Fault> {
    match log.holder()? {
        Holder::Us => Ok(()),
        Holder::Another => Err(lab::Error::OtherWriter { path: path.to_owned() }.into()),
        Holder::Nobody => Err(lab::Error::LogGone { path: path.join(Run::METRICS) }.into()),
    }
}

/// The audit of a model.
fn only(judged: &Judged) -> Result<&Audit, Fault> {
    let audit = judged.sweeps.first().and_then(|sweep| sweep.set.audits.first());
    audit.ok_or_else(|| Fault::internal("an audit of nothing"))
}
