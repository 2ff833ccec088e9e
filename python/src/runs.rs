//! Run directories, read.

use crate::audit::{audited, folder};
use crate::columns::{Columns, Row};
use crate::fault::Fault;
use crate::judged::Judged;
use data::Folder;
use lab::{AuditOptions, DataSets};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use protocol::Moment;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use record::{Epoch, Run, Score, Unit};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Runs that were read.
#[pyclass(frozen, module = "creditscope._core")]
pub(crate) struct Runs {
    runs: Vec<Run>,
    problems: Vec<String>,
}

/// An epoch with its numbers under their tags.
type Charted = (u64, Vec<(String, f64)>);

/// Reads every run directory at or below the paths.
#[pyfunction]
pub(crate) fn read_runs(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Runs> {
    let (runs, problems) = py.detach(|| find(&paths))?;
    Ok(Runs { runs, problems })
}

/// Every run at or below the paths, once each, and what is wrong with those that cannot be read. An error if that is all.
pub(crate) fn find(paths: &[PathBuf]) -> Result<(Vec<Run>, Vec<String>), Fault> {
    let (mut runs, mut problems) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for path in paths {
        for directory in record::find_runs(path)? {
            // The same directory may be reached by two paths.
            if !seen.insert(directory.canonicalize().unwrap_or_else(|_| directory.clone())) {
                continue;
            }
            match Run::read(&directory) {
                Ok(run) => runs.push(run),
                Err(error) => problems.push(error.to_string()),
            }
        }
    }
    if runs.is_empty() { Err(Fault::new("RunError", problems.join("\n"))) } else { Ok((runs, problems)) }
}

#[pymethods]
impl Runs {
    /// What is wrong with those that could not be read.
    #[getter]
    fn problems(&self) -> Vec<String> {
        self.problems.clone()
    }

    /// One row per run.
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut columns = Columns::default();
        for run in &self.runs {
            let record = &run.record;
            columns.add(
                start(run)
                    .words("path", run.path.to_string_lossy())
                    .words("network", record.network.name.as_str())
                    .words("data", record.provenance.data.as_str())
                    .words("status", record.status.name())
                    .real("epoch", run.last().map(|epoch| epoch.epoch as f64))
                    .real("epochs", run.epochs_asked().map(|epochs| epochs as f64))
                    .real("test_accuracy", run.last().map(|epoch| epoch.test.accuracy)),
            );
        }
        columns.into_dict(py)
    }

    /// The resolved recipe of each run, as JSON objects of dotted keys.
    fn recipes(&self) -> PyResult<Vec<String>> {
        let text = |run: &Run| serde_json::to_string(&run.recipe).map_err(|e| Fault::internal(e).into());
        self.runs.iter().map(text).collect()
    }

    /// The first test samples of a run, on which it is audited: inputs and labels.
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn samples<'py>(
        &self,
        py: Python<'py>,
        index: usize,
        count: usize,
        data: Option<PathBuf>,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<i64>>)> {
        let run = self.runs.get(index).ok_or_else(|| Fault::internal("there is no such run"))?;
        let folder = folder(data)?;
        let (x, labels, inputs) = py.detach(|| first_samples(run, count, folder))?;
        let labels: Vec<i64> = labels.into_iter().map(i64::from).collect();
        Ok((x.into_pyarray(py).reshape([labels.len(), inputs])?, labels.into_pyarray(py)))
    }

    /// One row per run and epoch.
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut columns = Columns::default();
        for (run, epoch) in self.epochs() {
            let score = |score: Option<Score>| (score.map(|s| s.loss), score.map(|s| s.accuracy));
            let (train_loss, train_accuracy) = score(epoch.train);
            let (validation_loss, validation_accuracy) = score(epoch.validation);
            let moment = Moment::of(epoch);
            columns.add(
                start(run)
                    .whole("epoch", epoch.epoch)
                    .real("lr", epoch.lr)
                    .real("train_loss", train_loss)
                    .real("train_accuracy", train_accuracy)
                    .real("validation_loss", validation_loss)
                    .real("validation_accuracy", validation_accuracy)
                    .real("test_loss", Some(epoch.test.loss))
                    .real("test_accuracy", Some(epoch.test.accuracy))
                    .real("error", Some(epoch.evaluation.error))
                    .real("growth", moment.growth)
                    .real("gradient_n128", moment.gradient)
                    .real("seconds", Some(epoch.seconds())),
            );
        }
        columns.into_dict(py)
    }

    /// One row per run, epoch and unit: every series that one of the logs holds.
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let known = record::series::TABLE.iter().map(|quantity| quantity.name);
        let held: BTreeSet<&str> =
            self.epochs().flat_map(|(_, epoch)| epoch.evaluation.series.keys().map(String::as_str)).collect();
        // Those that the program knows come first, in their order.
        let mut names: Vec<&str> = known.filter(|name| held.contains(name)).collect();
        names.extend(held.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
        let mut columns = Columns::default();
        for (run, epoch) in self.epochs() {
            let series = &epoch.evaluation.series;
            for unit in 0..=run.record.network.blocks {
                let row = start(run)
                    .whole("epoch", epoch.epoch)
                    .whole("samples", epoch.evaluation.samples)
                    .whole("layer", unit as u64)
                    .words("unit", Unit::at(unit).to_string());
                let value = |name: &str| series.get(name).and_then(|series| series.of_unit(unit));
                columns.add(names.iter().fold(row, |row, name| row.measured(name, value(name))));
            }
        }
        columns.into_dict(py)
    }

    /// For each run its name among the others, that of its seeds together, and what makes it one run wherever it lies.
    fn names(&self) -> Vec<(String, String, String)> {
        export::named(&self.runs)
            .into_iter()
            .map(|named| (named.name.clone(), named.group.clone(), named.key()))
            .collect()
    }

    /// The epochs of a run, each with the numbers that charts show.
    fn course(&self, index: usize) -> PyResult<Vec<Charted>> {
        let run = self.runs.get(index).ok_or_else(|| Fault::internal("there is no such run"))?;
        Ok(run.epochs.iter().map(|epoch| (epoch.epoch, export::point::charted(epoch))).collect())
    }

    /// The runs judged by their logs.
    fn judged(&self, py: Python<'_>) -> PyResult<Judged> {
        let options = AuditOptions { log_only: true, save: false, ..AuditOptions::new(folder(None)?) };
        let with_epochs = self.runs.iter().filter(|run| run.last().is_some()).cloned();
        let runs: Vec<Run> = with_epochs.collect();
        Ok(py.detach(|| audited(&runs, &options, Vec::new()))?)
    }
}

impl Runs {
    fn epochs(&self) -> impl Iterator<Item = (&Run, &Epoch)> {
        self.runs.iter().flat_map(|run| run.epochs.iter().map(move |epoch| (run, epoch)))
    }
}

/// Inputs and labels of the first test samples, and the features of each.
fn first_samples(run: &Run, count: usize, folder: Folder) -> Result<(Vec<f32>, Vec<u8>, usize), Fault> {
    let specs = lab::Recipe::of_record(&run.recipe, &run.path.display().to_string())?.runs()?;
    let spec = specs.first().ok_or_else(|| Fault::internal("a recipe without a run"))?;
    let data = DataSets::new(folder).load(&spec.source)?;
    let count = count.min(data.test.len());
    let (mut x, mut labels) = (vec![0.0; count * data.inputs], vec![0; count]);
    data.test.fill(0, &mut x, &mut labels);
    Ok((x, labels, data.inputs))
}

/// The columns that say which run a row is of.
fn start(run: &Run) -> Row {
    let record = &run.record;
    Row::default()
        .words("run", record.id.as_str())
        .words("rule", record.rule.as_str())
        .whole("seed", record.provenance.seed)
}
