//! `creditscope run --dry-run`: the runs, what they cost and what they need, without a step.

use super::run::plural;
use crate::args::Execution;
use crate::failure::Failure;
use crate::show::{self, Table};
use data::Folder;
use lab::{Cost, Plan, Speed};
use std::path::Path;
use std::time::Duration;

/// Rows of the table; a longer one would push the sum off the screen.
const SHOWN: usize = 60;

pub(super) fn dry_run(
    plan: &Plan,
    out: &Path,
    folder: &Folder,
    execution: &Execution,
) -> Result<(), Failure> {
    let specs = plan.runs();
    specs.iter().try_for_each(|spec| data::check(&spec.source, folder))?;
    let speed = Speed::measure();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = execution.jobs.map_or(cores, |n| n as usize).min(specs.len());
    let mut table =
        Table::new(&["run", "data", "parameters", "epochs", "steps", "time", "memory", "disk"], 2);
    let mut time = Duration::ZERO;
    let mut disk = 0u64;
    for (index, spec) in specs.iter().enumerate() {
        let cost = Cost::of(spec);
        time = time.saturating_add(cost.time(speed));
        disk = cost.disk.saturating_add(disk);
        if index >= SHOWN {
            continue;
        }
        table.row(vec![
            spec.id.clone(),
            spec.source.name().to_owned(),
            show::count(cost.parameters),
            spec.last_epoch.to_string(),
            show::count(cost.steps),
            show::duration(cost.time(speed)),
            show::bytes(cost.memory),
            show::bytes(cost.disk),
        ]);
    }
    let busy = jobs.min(cores);
    let wall = time / busy as u32;
    let hidden = specs.len().saturating_sub(SHOWN);
    let more =
        if hidden == 0 { String::new() } else { format!("… and {} more\n", show::count(hidden as u64)) };
    let common = table.take_common();
    let common = if common.is_empty() { common } else { format!("Each: {common}. ") };
    let sum = format!(
        "{common}{} in {}: about {} on {busy} of {cores} cores, at most {} of disk. Time is for one core. Nothing was run.",
        plural(specs.len()),
        out.display(),
        show::duration(wall),
        show::bytes(disk),
    );
    show::print(&format!("{}{more}\n{}\n", table.text(), show::wrap(&sum, 0)));
    Ok(lab::fits_memory(specs, jobs)?)
}
