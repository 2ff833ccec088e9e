//! `creditscope audit`: what an audit found, for people and for programs.

mod fail_on;
mod files;
mod measure;

use crate::args::{Audit, CosineKind, Output, Verbosity};
use crate::failure::Failure;
use crate::show;
use record::audit::AuditSet;
use report::audit::{View, csv, junit, page};

pub(crate) fn run(args: &Audit, verbosity: Verbosity) -> Result<(), Failure> {
    files::can_be_written(&args.output, &args.paths)?;
    let judged = measure::measured(args, verbosity)?;
    report(&judged.set, &args.output, verbosity)?;
    match judged.unread {
        0 => Ok(()),
        n => Err(Failure::Input(format!("{n} of the run directories could not be read, see above"))),
    }
}

/// Everything that was asked of a set of audits: text or JSON, files, and whether it holds.
pub(crate) fn report(set: &AuditSet, output: &Output, verbosity: Verbosity) -> Result<(), Failure> {
    // A table on standard output is for a program, which wants nothing else there.
    let piped = output.csv.iter().chain(&output.junit).any(|path| files::is_stdout(path));
    if output.json {
        let text = serde_json::to_string_pretty(set);
        let text = text.map_err(|e| Failure::Internal(format!("an audit that is no JSON: {e}")))?;
        show::print(&format!("{text}\n"));
    } else if verbosity > Verbosity::Quiet && !piped {
        print(set, &view(output));
    }
    if let Some(path) = &output.csv {
        files::write(path, &csv::text(set))?;
    }
    if let Some(path) = &output.junit {
        files::write(path, &junit::text(set))?;
    }
    fail_on::check(set, &output.fail_on)
}

/// Prints what a person wants to read, in colour where the terminal has it.
pub(crate) fn print(set: &AuditSet, view: &View) {
    show::print(&show::Colour::of_stdout().paint(&page::text(set, view)));
}

/// What the command line asks to see.
fn view(output: &Output) -> View {
    View {
        layers: output.layers,
        torch: output.cosine == CosineKind::Torch,
        include_unreliable: output.include_unreliable,
    }
}
