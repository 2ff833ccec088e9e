//! Audits of run directories, of dump files, and of arrays.

use crate::attend::{Stop, attended};
use crate::fault::Fault;
use crate::judged::Judged;
use crate::runs::find;
use ::audit::dump::{Array, Dump, DumpOptions, Values, judge, judge_files};
use data::Folder;
use lab::{AuditOptions, Sweep};
use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use record::Run;
use std::path::PathBuf;

/// Audits run directories, or all runs of folders, as `creditscope audit` does.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one per keyword of `creditscope.audit`")]
pub(crate) fn audit_runs(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    samples: u64,
    directions: u64,
    draws: u64,
    probe: bool,
    log_only: bool,
    again: bool,
    mixed: bool,
    save: bool,
    data: Option<PathBuf>,
    jobs: Option<usize>,
    threads: Option<usize>,
) -> PyResult<Judged> {
    let folder = folder(data)?;
    // A run that is only read off its log is no news about it.
    let save = save && !log_only;
    let work = move || {
        let (runs, problems) = find(&paths)?;
        let mut options = AuditOptions::new(folder);
        options = AuditOptions { samples, directions, draws, probe, log_only, ..options };
        options = AuditOptions { again, mixed, save, jobs, threads, ..options };
        audited(&runs, &options, problems)
    };
    Ok(attended(py, Stop::Abandon, work, |_| Ok(()))?.0)
}

/// The audits of runs that were read, and what could not be read or saved.
pub(crate) fn audited(
    runs: &[Run],
    options: &AuditOptions,
    mut problems: Vec<String>,
) -> Result<Judged, Fault> {
    let found = lab::audit_runs(runs, options, &|_| {})?;
    problems.extend(found.unsaved.iter().map(|error| format!("the audit was not saved: {error}")));
    Ok(Judged { sweeps: found.sweeps, problems })
}

/// Audits dump files, the epochs of one run in order.
#[pyfunction]
pub(crate) fn audit_files(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    accuracy: Option<f64>,
    frozen_accuracy: Option<f64>,
    mean_over: Option<u64>,
    directions: u64,
    draws: u64,
) -> PyResult<Judged> {
    let options = options(accuracy, frozen_accuracy, mean_over, directions, draws);
    let work = move || Ok(together(judge_files(&paths, &options)?));
    Ok(attended(py, Stop::Abandon, work, |_| Ok(()))?.0)
}

/// Audits arrays that a dump file would hold, by name: C-contiguous, of float64, float32 or int64.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one per keyword of `creditscope.audit`")]
pub(crate) fn audit_arrays(
    py: Python<'_>,
    name: String,
    arrays: &Bound<'_, PyDict>,
    accuracy: Option<f64>,
    frozen_accuracy: Option<f64>,
    mean_over: Option<u64>,
    directions: u64,
    draws: u64,
) -> PyResult<Judged> {
    let options = options(accuracy, frozen_accuracy, mean_over, directions, draws);
    let borrowed = arrays.iter().map(|(name, array)| Ok((name.extract()?, Borrowed::of(&array)?)));
    let borrowed = borrowed.collect::<PyResult<Vec<(String, Borrowed<'_>)>>>()?;
    let shapes: Vec<Vec<usize>> = borrowed.iter().map(|(_, array)| array.shape()).collect();
    let given = borrowed.iter().zip(&shapes).map(|((name, array), shape)| {
        Ok(Array { name: name.as_str(), shape: shape.as_slice(), values: array.values()? })
    });
    let given = given.collect::<PyResult<Vec<Array<'_>>>>()?;
    // The values are copied into the dump, so nobody can change them while they are judged.
    let dump = Dump::from_arrays(&name, &given).map_err(Fault::from)?;
    let work = move || Ok(alone(judge(&dump, &options)?));
    Ok(attended(py, Stop::Abandon, work, |_| Ok(()))?.0)
}

/// An array that Python owns, of one of the types that a dump takes.
enum Borrowed<'py> {
    F64(PyReadonlyArrayDyn<'py, f64>),
    F32(PyReadonlyArrayDyn<'py, f32>),
    I64(PyReadonlyArrayDyn<'py, i64>),
}

impl<'py> Borrowed<'py> {
    fn of(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        let wide = array.extract().map(Self::F64).ok();
        let wide = wide.or_else(|| array.extract().map(Self::F32).ok());
        let wide = wide.or_else(|| array.extract().map(Self::I64).ok());
        wide.ok_or_else(|| Fault::internal("an array that is of no type of a dump").into())
    }

    fn shape(&self) -> Vec<usize> {
        match self {
            Self::F64(array) => array.shape().to_vec(),
            Self::F32(array) => array.shape().to_vec(),
            Self::I64(array) => array.shape().to_vec(),
        }
    }

    fn values(&self) -> PyResult<Values<'_>> {
        Ok(match self {
            Self::F64(array) => Values::F64(array.as_slice()?),
            Self::F32(array) => Values::F32(array.as_slice()?),
            Self::I64(array) => Values::I64(array.as_slice()?),
        })
    }
}

fn options(
    accuracy: Option<f64>,
    frozen: Option<f64>,
    mean_over: Option<u64>,
    directions: u64,
    draws: u64,
) -> DumpOptions {
    DumpOptions { accuracy, frozen, mean_over, directions, draws, ..DumpOptions::default() }
}

/// One audit as a set of its own.
pub(crate) fn alone(audit: record::audit::Audit) -> Judged {
    together(vec![audit])
}

/// Audits side by side.
fn together(audits: Vec<record::audit::Audit>) -> Judged {
    let sweep = Sweep { differs: Vec::new(), set: protocol::set(audits) };
    Judged { sweeps: vec![sweep], problems: Vec::new() }
}

/// The folder of the data sets.
pub(crate) fn folder(given: Option<PathBuf>) -> Result<Folder, Fault> {
    Ok(given.map_or_else(Folder::default_location, |path| Ok(Folder::at(path)))?)
}
