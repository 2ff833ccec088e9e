//! `creditscope reproduce NAME --on slurm`: the missing runs of a study as a sweep.

use super::choice::Choice;
use super::command::{kept_places, out, places};
use crate::args::{Handing, Reproduce};
use crate::commands::run::folder;
use crate::commands::sweep::{Place, hand_out};
use crate::failure::Failure;
use crate::show;
use paper::compare::find;
use paper::study::Study;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use sweep::{Folder, Source, Wanted, freeze};

/// Submits what is missing and was asked for; the same command without `--on` shows it once it is there.
pub(super) fn submit(study: &Study, args: &Reproduce, choice: &Choice<'_>) -> Result<(), Failure> {
    let specs = study.recipe(args.quick)?.runs()?;
    let data = folder(args.data.as_deref())?;
    let without = |places: &[PathBuf]| -> Result<BTreeSet<String>, Failure> {
        let asked = find(&specs, places, &data)?;
        Ok(asked.into_iter().filter(|asked| asked.run.is_none()).map(|asked| asked.spec.id).collect())
    };
    let missing = without(&places(args)?)?;
    let chosen: BTreeSet<&str> =
        specs.iter().filter(|spec| choice.takes(spec)).map(|spec| spec.id.as_str()).collect();
    if !missing.iter().any(|id| chosen.contains(id.as_str())) {
        show::print(&format!("{}: nothing to train, all that was asked for is there.\n", study.name));
        return Ok(());
    }
    // The plan holds all that no kept record has, so that other seeds and rules can follow.
    let planned: Vec<String> = without(&kept_places(args))?.into_iter().collect();
    let source = Source {
        text: study.text().to_owned(),
        origin: study.file(),
        name: study.name.to_owned(),
        assignments: study.assignments(args.quick).map(str::to_owned).collect(),
    };
    let here = out(args).join(study.name);
    let sweep = Folder::at(&here)?;
    let manifest = freeze(&sweep, &source, Some(&planned), &data)?;
    let place = Place::new(here, sweep, manifest);
    let handing = Handing::of_study(args.data.clone(), args.sbatch.clone(), args.execution.checkpoint_every);
    let sent = hand_out(&place, &handing, Wanted::Missing, &|id| chosen.contains(id))?;
    show::print(&sent.words(&place, Wanted::Missing));
    let quick = if args.quick { " --quick" } else { "" };
    let elsewhere = if args.out == Path::new("reproduction") {
        String::new()
    } else {
        format!(" --out {}", show::shell_word(&args.out.display().to_string()))
    };
    show::print(&format!("When it is done:  creditscope reproduce {}{quick}{elsewhere}\n", study.name));
    sent.refused()
}
