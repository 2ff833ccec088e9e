//! A set of figures that a command ends with: those of the demo, or of a study.

use super::list;
use super::make::Press;
use crate::failure::Failure;
use figures::{Format, Request, Style, Typesetter};
use std::path::{Path, PathBuf};

/// Figures that the demo's runs have everything for.
const DEMO: [&str; 4] = ["audit-hero", "verdicts", "nulls", "dissociation"];

/// Draws the demo's figures next to its runs and lists the files.
pub(crate) fn demo(runs: &Path) -> Result<String, Failure> {
    draw(&[runs.to_owned()], &DEMO, &runs.join("figures"))
}

/// Draws those figures that the runs have everything for, and lists the files.
pub(crate) fn draw(runs: &[PathBuf], names: &[&str], out: &Path) -> Result<String, Failure> {
    let style = Style::paper();
    let input = |e: &dyn std::fmt::Display| Failure::Input(e.to_string());
    let setter = Typesetter::new(&style.family).map_err(|e| input(&e))?;
    let records = paper::records(runs).map_err(|e| input(&e))?;
    let press = Press {
        style,
        setter,
        formats: Format::ALL.to_vec(),
        dpi: figures::DPI,
        out: out.to_owned(),
        check: false,
    };
    let entries: Vec<_> = names.iter().filter_map(|name| list::find(name)).collect();
    let made = press.make(&entries, &Request { records, ..Request::default() }, true)?;
    Ok(press.summary(&made))
}
