//! Figures.

use crate::attend::{Stop, attended};
use crate::fault::Fault;
use crate::remedy::with_keywords;
use ::figures::{CatalogueError, DPI_RANGE, Format, Records, Request, Style, Typesetter};
use pyo3::prelude::*;
use std::path::PathBuf;

/// The files of a drawing by name, and what is to be known about it.
type Drawn = (Vec<(String, Vec<u8>)>, Vec<String>);

/// Every figure: its name, what it shows, what it needs.
#[pyfunction]
pub(crate) fn figures() -> Vec<(&'static str, &'static str, &'static str)> {
    paper::all_figures().map(|entry| (entry.name, entry.about, entry.needs)).collect()
}

/// Draws a figure from records at these paths.
#[pyfunction]
pub(crate) fn draw(
    py: Python<'_>,
    name: String,
    paths: Vec<PathBuf>,
    published: bool,
    style: String,
    width: Option<f64>,
    dpi: Option<f64>,
) -> PyResult<Drawn> {
    let work = move || drawn(&name, &paths, published, &style, width, dpi);
    Ok(attended(py, Stop::Abandon, work, |_| Ok(()))?.0)
}

fn drawn(
    name: &str,
    paths: &[PathBuf],
    published: bool,
    style: &str,
    width: Option<f64>,
    dpi: Option<f64>,
) -> Result<Drawn, Fault> {
    let refuse = |words: &dyn std::fmt::Display| Fault::new("FigureError", words);
    let Some(entry) = paper::all_figures().find(|entry| entry.name == name) else {
        return Err(refuse(&format!("there is no figure `{name}`")));
    };
    let Some(mut style) = Style::named(style) else {
        return Err(refuse(&format!("style=\"{style}\": there are {}", Style::NAMES.join(" and "))));
    };
    if let Some(inches) = width {
        if !(1.0..=60.0).contains(&inches) {
            return Err(refuse(&format!("width={inches}: give inches, from 1 to 60")));
        }
        style.width = 72.0 * inches;
    }
    let dpi = dpi.unwrap_or(::figures::DPI);
    if !DPI_RANGE.contains(&dpi) {
        let (low, high) = (DPI_RANGE.start(), DPI_RANGE.end());
        return Err(refuse(&format!("dpi={dpi}: give a number from {low} to {high}")));
    }
    let records =
        if paths.is_empty() { Records::default() } else { paper::records(paths).map_err(|e| refuse(&e))? };
    let mut notes: Vec<String> = records.notes.iter().map(ToString::to_string).collect();
    let published = published.then(paper::published::for_figures);
    let request = Request { records, published, ..Request::default() };
    let drawing = (entry.draw)(&request).map_err(|error| match error {
        CatalogueError::Nothing { remedy, .. } => refuse(&with_keywords(&error, remedy)),
        other => refuse(&format!("{name}: {other}")),
    })?;
    let setter = Typesetter::new(&style.family).map_err(|e| refuse(&e))?;
    let files =
        ::figures::files(name, &drawing, &Format::ALL, &style, dpi, &setter).map_err(|e| refuse(&e))?;
    notes.extend(drawing.notes);
    Ok((files.into_iter().map(|file| (file.name, file.bytes)).collect(), notes))
}
