//! `creditscope export tensorboard`, and the listener of `run --tensorboard`.

use super::material::Material;
use crate::args::Verbosity;
use crate::commands::run::plural;
use crate::failure::Failure;
use crate::show;
use export::tensorboard::{self, Live, Png};
use export::{Named, named};
use figures::{CatalogueError, Format, Request, Style, Typesetter};
use lab::{Error, Event, Listener, Recipe, RunSpec};
use std::path::{Path, PathBuf};

/// Writes runs, means over seeds and figures.
pub(super) fn write(
    paths: &[PathBuf],
    out: &Path,
    with_figures: bool,
    verbosity: Verbosity,
) -> Result<(), Failure> {
    let material = Material::read(paths)?;
    let runs = named(&material.runs);
    let means = tensorboard::write(&runs, out)?;
    let pictures = if with_figures { pictures(paths, &runs, out)? } else { 0 };
    if verbosity > Verbosity::Quiet {
        let sum = format!(
            "{}: {}, {} means over seeds, {pictures} figures.\nLook at them:  tensorboard --logdir {}\n",
            out.display(),
            plural(runs.len()),
            means.len(),
            show::shell_word(&out.to_string_lossy())
        );
        show::print(&sum);
    }
    material.whole()
}

/// Draws every figure that the records have something for; returns how many those are.
fn pictures(paths: &[PathBuf], runs: &[Named<'_>], out: &Path) -> Result<usize, Failure> {
    let input = |e: &dyn std::fmt::Display| Failure::Input(e.to_string());
    let style = Style::paper();
    let setter = Typesetter::new(&style.family).map_err(|e| input(&e))?;
    let records = paper::records(paths).map_err(|e| input(&e))?;
    let request = Request { records, ..Request::default() };
    let mut pictures = Vec::new();
    for entry in paper::all_figures() {
        let drawing = match (entry.draw)(&request) {
            Ok(drawing) => drawing,
            Err(CatalogueError::Nothing { .. }) => continue,
            Err(e) => return Err(input(&e)),
        };
        let files = figures::files(entry.name, &drawing, &[Format::Png], &style, DPI, &setter);
        let files = files.map_err(|e| input(&e))?;
        pictures.extend(files.into_iter().find_map(|file| Png::new(entry.name, file.bytes)));
    }
    tensorboard::write_pictures(&pictures, runs, out)?;
    Ok(pictures.len())
}

/// Pixels an inch: a page of a browser, not of paper.
const DPI: f64 = 150.0;

/// Writes runs to event files while they train.
pub(crate) struct Listeners<'a> {
    /// The folder of the event files.
    pub(crate) out: &'a Path,
    /// The folder of the run directories.
    pub(crate) runs: &'a Path,
}

impl Listeners<'_> {
    /// Writes what is known of all runs of the recipe before the first one starts, whichever of them are trained here.
    pub(crate) fn begin(&self, recipe: &Recipe) -> Result<(), Failure> {
        let keys = |spec: &RunSpec| spec.recipe.parse().map(record::flatten);
        let recipes: Vec<_> = recipe
            .runs()?
            .iter()
            .map(keys)
            .collect::<Result<_, _>>()
            .map_err(|e| Failure::Internal(format!("a resolved recipe that is none: {e}")))?;
        Ok(tensorboard::write_columns(&recipes, self.out)?)
    }

    /// The listener of one run.
    pub(crate) fn of(&self, spec: &RunSpec) -> Box<dyn Listener> {
        let [out, directory] = [self.out.to_owned(), self.runs.join(&spec.id)];
        Box::new(Writer { out, directory, live: None })
    }

    /// Completes what other sittings trained, of which no listener hears.
    pub(crate) fn complete(&self, specs: &[RunSpec]) -> Result<(), Failure> {
        let there = specs.iter().map(|spec| self.runs.join(&spec.id)).filter(|path| path.is_dir());
        let runs: Vec<record::Run> = there.map(|path| record::Run::read(&path)).collect::<Result<_, _>>()?;
        Ok(tensorboard::complete(&named(&runs), self.out)?)
    }
}

struct Writer {
    out: PathBuf,
    directory: PathBuf,
    live: Option<Live>,
}

impl Listener for Writer {
    fn on(&mut self, spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        match (event, &mut self.live) {
            (Event::Started(_), live) => {
                let group = protocol::base_name(&spec.id, spec.seed);
                *live = Some(Live::begin(&self.directory, group, &self.out)?);
            }
            (Event::Measured(epoch), Some(live)) => live.measured(epoch)?,
            (Event::Ended { .. }, Some(live)) => live.ended()?,
            _ => {}
        }
        Ok(())
    }
}
