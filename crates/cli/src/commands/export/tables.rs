//! Exports that are one file: tidy tables, LaTeX.

use super::material::Material;
use crate::args::Table;
use crate::commands::audit::kept;
use crate::commands::run::folder;
use crate::commands::runs::differing;
use crate::failure::Failure;
use crate::target;
use export::{Part, Tidy, named};
use lab::Sweep;
use record::Run;

pub(super) const PARQUET: &str = "this program writes no Parquet, but what reads Parquet makes it from CSV in one line: \
    `creditscope export csv RUNS --out runs.csv`, then in Python \
    `polars.scan_csv(\"runs.csv\", infer_schema_length=None).sink_parquet(\"runs.parquet\")`";

/// One row per number of the logs.
pub(super) fn tidy(table: &Table, render: fn(&Tidy<'_>) -> String) -> Result<(), Failure> {
    target::can_be_written([("--out", table.out.as_path())], false, &table.runs)?;
    let material = Material::read(&table.runs)?;
    let all: Vec<&Run> = material.runs.iter().collect();
    let runs = named(&material.runs);
    target::write(&table.out, &render(&Tidy::new(&runs, differing(&all))))?;
    material.whole()
}

/// Verdicts and accuracies.
pub(super) fn latex(table: &Table) -> Result<(), Failure> {
    target::can_be_written([("--out", table.out.as_path())], false, &table.runs)?;
    let material = Material::read(&table.runs)?;
    let sweeps = kept(&material.runs, folder(None)?)?;
    if sweeps.is_empty() {
        return Err(Failure::Input("no run has an epoch yet, so there is nothing to judge".to_owned()));
    }
    let differs: Vec<String> = sweeps.iter().map(differs).collect();
    let part = |(sweep, differs)| Part { differs, network: network(sweep, &material.runs), set: &sweep.set };
    let parts: Vec<Part<'_>> = sweeps.iter().zip(differs.iter().map(String::as_str)).map(part).collect();
    target::write(&table.out, &export::latex(&parts))?;
    material.whole()
}

/// How the conditions of a sweep differ from the others' beside its network, which has a column.
fn differs(sweep: &Sweep) -> String {
    let others = sweep.differs.iter().filter(|(key, _)| key != "net.name");
    let words: Vec<String> =
        others.map(|(key, value)| format!("{key} = {}", value.trim_matches('"'))).collect();
    words.join(", ")
}

/// The network that the runs of a sweep share.
fn network<'a>(sweep: &Sweep, runs: &'a [Run]) -> &'a str {
    let first = sweep.set.audits.first();
    let run = first.and_then(|audit| runs.iter().find(|run| audit.subject.is_of(&run.record)));
    run.map_or("", |run| &run.record.network.name)
}
