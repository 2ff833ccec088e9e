//! The figures that `creditscope demo` ends with.

use super::make::Press;
use crate::failure::Failure;
use figures::Format;
use figures::catalogue::{self, Request};
use figures::plot::Style;
use figures::reader::Records;
use figures::text::Typesetter;
use std::path::Path;

/// Figures that the demo's runs have everything for.
const FIGURES: [&str; 4] = ["audit-hero", "verdicts", "nulls", "dissociation"];

/// Draws them beside the runs and says which files there are.
pub(crate) fn run(runs: &Path) -> Result<String, Failure> {
    let style = Style::paper();
    let input = |e: &dyn std::fmt::Display| Failure::Input(e.to_string());
    let setter = Typesetter::new(&style.family).map_err(|e| input(&e))?;
    let records = Records::read(&[runs.to_owned()]).map_err(|e| input(&e))?;
    let press = Press {
        style,
        setter,
        formats: Format::ALL.to_vec(),
        dpi: 300.0,
        out: runs.join("figures"),
        check: false,
    };
    let entries: Vec<_> = FIGURES.iter().filter_map(|name| catalogue::find(name)).collect();
    let made = press.make(&entries, &Request { records, ..Request::default() }, true)?;
    Ok(press.summary(&made))
}
