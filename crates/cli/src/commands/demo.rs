//! `creditscope demo`: train the three rules and their baselines on a built-in task, and say what came out.

use super::run::{cost, folder, train};
use crate::args::{Demo, Verbosity};
use crate::call::Call;
use crate::failure::Failure;
use crate::show;
use lab::Recipe;
use record::Run;
use report::audit::View;
use std::time::Instant;

/// The recipe of the demo, the same file that a user can copy and change.
const RECIPE: &str = include_str!("../../../../recipes/demo.toml");

pub(crate) fn run(args: &Demo, call: Call<'_>) -> Result<(), Failure> {
    let specs = Recipe::parse(RECIPE, "recipes/demo.toml")?.runs()?;
    let steps = specs.iter().map(|spec| spec.last_epoch * spec.steps() as u64).sum();
    if call.verbosity > Verbosity::Quiet {
        let here = specs.iter().filter(|spec| lab::is_trained(&args.out.join(&spec.id), spec)).count();
        let opening = format!(
            "bp, fa, dfa and their frozen baselines on a built-in task: {} runs, {} steps in all, in {}.",
            specs.len(),
            show::count(steps),
            args.out.display()
        );
        let before =
            if here == 0 { String::new() } else { format!(" {here} of them are there from before.") };
        show::print(&format!("{}\n\n", show::wrap(&(opening + &before), 0)));
    }
    let begun = Instant::now();
    let outcome = train(&specs, &args.out, folder(None)?, &args.execution, true, call)?;
    let runs: Vec<Run> =
        specs.iter().map(|spec| Run::read(&args.out.join(&spec.id))).collect::<Result<_, _>>()?;
    if call.verbosity > Verbosity::Quiet {
        show::print(&super::audit::text(&super::audit::judged(&runs, folder(None)?)?, &View::default()));
    }
    let pictures = super::figure::set::demo(&args.out)?;
    let page = args.out.join("report.html");
    super::report::page(std::slice::from_ref(&args.out), &page, call)?;
    if call.verbosity > Verbosity::Quiet {
        let files = format!(
            "Each run's files (recipe, record, metrics, checkpoint) are in {}. {}",
            args.out.display(),
            cost(&runs)
        );
        show::print(&format!("\nFigures, each with its values:\n{pictures}"));
        show::print(&format!("\nAll of it on one page, for a browser:\n{}\n", page.display()));
        show::print(&format!(
            "\nDone in {}.\n{}\nLook closer:  creditscope audit {}\n              creditscope runs show {}\n",
            show::duration(begun.elapsed()),
            show::wrap(&files, 0),
            args.out.display(),
            args.out.join("dfa-s42").display(),
        ));
    }
    outcome.check()
}
