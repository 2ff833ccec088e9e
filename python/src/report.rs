//! The page of a report.

use crate::attend::{Stop, attended};
use crate::fault::Fault;
use crate::remedy::keyword;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A page, its verdicts alone, the same in Markdown, the number of runs, and what is to be known about it.
type Made = (String, String, String, usize, Vec<String>);

/// The page of the runs at these paths, which a call of Python makes.
#[pyfunction]
pub(crate) fn report(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    title: Option<String>,
    full: bool,
    call: String,
) -> PyResult<Made> {
    let work = move || {
        let page = creditscope_cli::report(&paths, title.as_deref(), full, &call, keyword);
        let page = page.map_err(|words| Fault::new("RunError", words))?;
        Ok::<_, Fault>((page.html, page.verdicts, page.markdown, page.runs, page.notes))
    };
    Ok(attended(py, Stop::Abandon, work, |_| Ok(()))?.0)
}
