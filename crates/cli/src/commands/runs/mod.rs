//! `creditscope runs`.

mod diff;
mod find;
mod layers;
mod list;
mod outcome;
mod recipe;
mod same;
mod show;
mod table;

pub(crate) use find::{Found, find, must_be_folder, read};
pub(crate) use recipe::differing;

use crate::args::{Runs, RunsAction};
use crate::failure::Failure;

pub(crate) fn run(args: &Runs) -> Result<(), Failure> {
    match &args.action {
        RunsAction::List { path, json } => list::list(path, *json),
        RunsAction::Show { run, json } => show::show(run, *json),
        RunsAction::Diff { a, b } => diff::diff(a, b),
    }
}
