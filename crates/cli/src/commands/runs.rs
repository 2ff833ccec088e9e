//! `creditscope runs`.

use crate::args::{Runs, RunsAction};
use crate::failure::Failure;
use crate::show::{self, Table};
use record::{Run, Status};
use std::path::Path;

pub(crate) fn run(args: &Runs) -> Result<(), Failure> {
    match &args.action {
        RunsAction::List { .. } | RunsAction::Show { .. } | RunsAction::Diff { .. } => Ok(()),
    }
}

pub(crate) fn table(folder: &Path, ids: &[&str]) -> Result<String, Failure> {
    let mut table = Table::new(&["run", "state", "epoch", "test", "growth", "‖g_L‖ (N=128)"], 2);
    for id in ids {
        let run = Run::read(&folder.join(id))?;
        let state = match &run.record.status {
            Status::Running => "running",
            Status::Interrupted => "interrupted",
            Status::Finished => "finished",
            Status::Stopped { .. } => "stopped",
        };
        let mut cells = vec![run.record.id.clone(), state.to_owned()];
        if let Some(last) = run.last() {
            let e = &last.evaluation;
            cells.extend([
                last.epoch.to_string(),
                show::share(last.test.accuracy),
                show::scientific(e.growth),
                show::scientific(e.mean_gradient(e.gradient.len() - 1, 128)),
            ]);
        }
        table.row(cells);
    }
    Ok(table.text())
}
