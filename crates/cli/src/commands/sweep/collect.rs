//! `creditscope sweep collect`: one line per run, and what is missing.

use super::place::{Place, slurm};
use super::status::{next, sums};
use crate::args::Asking;
use crate::failure::Failure;
use crate::show;
use record::{Run, escape};
use std::path::Path;
use sweep::{Manifest, Report, RunState, survey};

const HEADING: &str =
    "run,rule,seed,state,epoch,epochs,test_accuracy,test_loss,train_accuracy,train_loss,growth,identity";

pub(super) fn run(place: &Place, csv: Option<&Path>, asking: Asking) -> Result<(), Failure> {
    let report = survey(&place.folder, &place.manifest, &slurm(asking))?;
    let table = table(place, &report);
    let default = place.folder.table();
    let path = csv.unwrap_or(&default);
    if path == Path::new("-") {
        show::print(&table);
    } else {
        record::durable::write(path, table.as_bytes())?;
        let (words, command) = next(place, &report);
        show::print(&format!("{}\nWrote {}.\n\n{words}:  {command}\n", sums(&report), path.display()));
    }
    if report.all_done() { Ok(()) } else { Err(Failure::DidNotHold) }
}

/// A line for every run of the plan, whatever its state; numbers of its last epoch, where it has one.
fn table(place: &Place, report: &Report) -> String {
    let Manifest { runs, .. } = &place.manifest;
    let mut text = format!("{HEADING}\n");
    for (state, planned) in report.runs.iter().zip(runs) {
        let run = Run::read(&place.folder.run(&state.id)).ok();
        text.push_str(&(line(state, run.as_ref(), &planned.identity) + "\n"));
    }
    text
}

fn line(state: &RunState, run: Option<&Run>, identity: &str) -> String {
    let last = run.and_then(Run::last);
    let number = |x: Option<f64>| x.map_or_else(String::new, |x| x.to_string());
    let train = last.and_then(|epoch| epoch.train);
    let cells = [
        state.id.clone(),
        state.rule.clone(),
        state.seed.to_string(),
        state.state.word().to_owned(),
        last.map_or_else(String::new, |epoch| epoch.epoch.to_string()),
        state.epochs.to_string(),
        number(last.map(|epoch| epoch.test.accuracy)),
        number(last.map(|epoch| epoch.test.loss)),
        number(train.map(|train| train.accuracy)),
        number(train.map(|train| train.loss)),
        number(last.map(|epoch| epoch.evaluation.growth)),
        identity.to_owned(),
    ];
    cells.iter().map(|cell| escape::csv(cell)).collect::<Vec<_>>().join(",")
}
