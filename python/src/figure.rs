//! Figures.

use crate::attend::{Stop, attended};
use crate::fault::Fault;
use crate::remedy::with_keywords;
use ::figures::{
    Assignment, CatalogueError, Composition, DPI_RANGE, Format, Options, Records, Refusal, Request,
    Typesetter, options,
};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// The files of a drawing by name, and what is to be known about it.
type Drawn = (Vec<(String, Vec<u8>)>, Vec<String>);

/// Every figure: its name, what it shows, what it needs.
#[pyfunction]
pub(crate) fn figures() -> Vec<(&'static str, &'static str, &'static str)> {
    paper::all_figures().map(|entry| (entry.name, entry.about, entry.needs)).collect()
}

/// Draws a figure, by name or as a file, from records at these paths. Options are keys with values as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn draw(
    py: Python<'_>,
    name: String,
    file: Option<PathBuf>,
    paths: Vec<PathBuf>,
    published: bool,
    config: Option<PathBuf>,
    options: Vec<(String, String)>,
    dpi: Option<f64>,
) -> PyResult<Drawn> {
    let asked = Asked { name, file, paths, published, config, options, dpi };
    Ok(attended(py, Stop::Abandon, move || drawn(&asked), |_| Ok(()))?.0)
}

/// What a call asks for.
struct Asked {
    name: String,
    file: Option<PathBuf>,
    paths: Vec<PathBuf>,
    published: bool,
    config: Option<PathBuf>,
    options: Vec<(String, String)>,
    dpi: Option<f64>,
}

fn refuse(words: &dyn std::fmt::Display) -> Fault {
    Fault::new("FigureError", words)
}

/// A refusal by the name of the keyword.
fn refused(refusal: &Refusal) -> Fault {
    refuse(&format!("{}=: {}", refusal.key, refusal.message))
}

fn read(path: &Path) -> Result<String, Fault> {
    let unreadable = |e: std::io::Error| refuse(&format!("cannot read {}: {e}", path.display()));
    record::bounded::utf8(path, record::bounded::RECIPE).map_err(unreadable)
}

/// The file of the figure, if it is one.
fn composition(asked: &Asked) -> Result<Option<Composition>, Fault> {
    let Some(path) = &asked.file else { return Ok(None) };
    let parsed = Composition::parse(&asked.name, &read(path)?, &path.display().to_string());
    parsed.map(Some).map_err(|e| refuse(&e))
}

/// What was decided: by `config`, by the file of the figure, by keywords, each overriding those before it.
fn decided(asked: &Asked, composition: Option<&Composition>) -> Result<Options, Fault> {
    let mut all = match &asked.config {
        Some(path) => {
            let found = options::assignments(&read(path)?, &path.display().to_string());
            found.map_err(|e| refuse(&e))?
        }
        None => Vec::new(),
    };
    all.extend(composition.into_iter().flat_map(|composition| composition.options.clone()));
    for (key, json) in &asked.options {
        let value = serde_json::from_str::<serde_json::Value>(json).ok();
        let value = value.and_then(|value| toml::Value::try_from(value).ok());
        let value = value.ok_or_else(|| refuse(&format!("{key}={json}: not a value of an option")))?;
        all.push(Assignment { place: format!("{key}={json}"), key: key.clone(), value });
    }
    Options::of(&all).map_err(|e| refuse(&e))
}

fn drawn(asked: &Asked) -> Result<Drawn, Fault> {
    let name = &asked.name;
    let composition = composition(asked)?;
    let options = decided(asked, composition.as_ref())?;
    let style = options.style().map_err(|why| refused(&why))?;
    let dpi = asked.dpi.unwrap_or(::figures::DPI);
    if !DPI_RANGE.contains(&dpi) {
        let (low, high) = (DPI_RANGE.start(), DPI_RANGE.end());
        return Err(refuse(&format!("dpi={dpi}: give a number from {low} to {high}")));
    }
    let records = match asked.paths.is_empty() {
        true => Records::default(),
        false => paper::records(&asked.paths).map_err(|e| refuse(&e))?,
    };
    let mut notes: Vec<String> = records.notes.iter().map(ToString::to_string).collect();
    let published = asked.published.then(paper::published::for_figures);
    let setter = Typesetter::new(&style.family).map_err(|e| refuse(&e))?;
    let request = Request { records, published, ..Request::default() };
    let request = request.wanting(options, &setter).map_err(|why| refused(&why))?;
    let listed = || paper::all_figures().find(|entry| entry.name == name);
    let drawing = match (&composition, listed()) {
        (Some(composition), _) => composition.draw(&request),
        (None, Some(entry)) => (entry.draw)(&request),
        (None, None) => return Err(refuse(&format!("there is no figure `{name}`"))),
    };
    let drawing = drawing.and_then(|drawing| drawing.shaped(&request)).map_err(|error| match error {
        CatalogueError::Nothing { remedy, .. } => refuse(&with_keywords(&error, remedy)),
        CatalogueError::Option(refusal) => refused(&refusal),
        other => refuse(&format!("{name}: {other}")),
    })?;
    let style = request.options.sized(&style, &drawing.figure);
    let files =
        ::figures::files(name, &drawing, &Format::ALL, &style, dpi, &setter).map_err(|e| refuse(&e))?;
    notes.extend(drawing.notes);
    Ok((files.into_iter().map(|file| (file.name, file.bytes)).collect(), notes))
}
