//! `creditscope reproduce --dry-run`: what training the missing runs would take.

use super::choice::Choice;
use super::command::places;
use crate::args::Reproduce;
use crate::commands::run::{folder, plural};
use crate::failure::Failure;
use crate::show::{self, Table};
use lab::{Cost, Speed};
use paper::compare::find;
use paper::study::Study;
use std::time::Duration;

/// One row per study; of a single study, one row per run that is missing.
pub(super) fn print(studies: &[&Study], args: &Reproduce, choice: &Choice<'_>) -> Result<(), Failure> {
    let speed = Speed::measure();
    let places = places(args)?;
    let folder = folder(args.data.as_deref())?;
    let mut by_study = Table::new(&["study", "runs", "there", "to train", "time"], 1);
    let mut by_run = Table::new(&["run", "epochs", "time"], 1);
    let mut total = Duration::ZERO;
    let mut count = 0;
    for study in studies {
        let asked = find(&study.recipe(args.quick)?.runs()?, &places, &folder)?;
        let there = asked.iter().filter(|a| a.run.is_some()).count();
        let missing = asked.iter().filter(|a| a.run.is_none() && choice.takes(&a.spec)).map(|a| &a.spec);
        let mut time = Duration::ZERO;
        let mut runs = 0;
        for spec in missing {
            let own = Cost::of(spec).time(speed);
            by_run.row(vec![spec.id.clone(), spec.last_epoch.to_string(), show::duration(own)]);
            time = time.saturating_add(own);
            runs += 1;
        }
        by_study.row(vec![
            study.name.to_owned(),
            asked.len().to_string(),
            there.to_string(),
            runs.to_string(),
            show::duration(time),
        ]);
        total = total.saturating_add(time);
        count += runs;
    }
    let table = if studies.len() == 1 && count > 0 { by_run } else { by_study };
    let sum = format!(
        "{} to train: about {} on one quiet core of this machine. Nothing was run.",
        plural(count),
        show::duration(total)
    );
    show::print(&format!("{}\n{}\n", table.text(), show::wrap(&sum, 0)));
    Ok(())
}
