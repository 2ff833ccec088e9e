//! A set of figures that a command ends with: those of the demo, or of a study.

use super::asked::Asked;
use super::make::{Made, Press};
use super::prepared::Prepared;
use super::{list, write};
use crate::failure::Failure;
use figures::{Drawing, Format, Request, Style, Typesetter};
use std::path::{Path, PathBuf};

/// Figures that the demo's runs have everything for.
const DEMO: [&str; 4] = ["audit-hero", "verdicts", "nulls", "dissociation"];

/// Draws the demo's figures next to its runs and lists the files.
pub(crate) fn demo(runs: &Path) -> Result<String, Failure> {
    draw(&[runs.to_owned()], &DEMO, &runs.join("figures"))
}

/// Draws those figures that the runs have everything for, and lists the files.
pub(crate) fn draw(runs: &[PathBuf], names: &[&str], out: &Path) -> Result<String, Failure> {
    let records = paper::records(runs).map_err(|e| Failure::Input(e.to_string()))?;
    let figures: Vec<Asked> = names.iter().filter_map(|name| list::find(name)).map(Asked::Listed).collect();
    let prepared = prepared(Request { records, ..Request::default() })?;
    let mut made = Made::default();
    press(out).make(&figures, &prepared, true, &mut made)?;
    Ok(press(out).summary(&made))
}

/// Writes the files of one drawing.
pub(crate) fn write(name: &str, drawing: &Drawing, out: &Path) -> Result<(), Failure> {
    let Press { formats, dpi, out, .. } = press(out);
    let Prepared { style, setter, .. } = prepared(Request::default())?;
    let files = figures::files(name, drawing, &formats, &style, dpi, &setter);
    write::write(&files.map_err(|e| Failure::Input(e.to_string()))?, &out)
}

fn press(out: &Path) -> Press {
    Press {
        formats: Format::ALL.to_vec(),
        dpi: figures::DPI,
        out: out.to_owned(),
        check: false,
        python: false,
    }
}

fn prepared(request: Request) -> Result<Prepared, Failure> {
    let style = Style::paper();
    let setter = Typesetter::new(&style.family).map_err(|e| Failure::Input(e.to_string()))?;
    Ok(Prepared { request, style, setter })
}
