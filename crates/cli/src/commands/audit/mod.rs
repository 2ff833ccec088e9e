//! `creditscope audit`: what an audit found, for people and for programs.

mod fail_on;
mod measure;
mod pages;

use crate::args::{Audit, CosineKind, Output, Verbosity};
use crate::failure::Failure;
use crate::remedy::flag;
use crate::show;
use crate::target;
use lab::{Sweep, audits_json};
use record::audit::AuditSet;
use report::audit::{View, csv, junit};

pub(crate) use pages::{Spell, judged, kept, markdown, page_of, text};

pub(crate) fn run(args: &Audit, verbosity: Verbosity) -> Result<(), Failure> {
    target::can_be_written(args.output.files(), args.output.json, &args.paths)?;
    let judged = measure::measured(args, verbosity)?;
    report(&judged.sweeps, &args.output, verbosity)?;
    match judged.unread {
        0 => Ok(()),
        n => Err(Failure::Input(format!("{n} of the run directories could not be read, see above"))),
    }
}

/// Everything that was asked of audits: text or JSON, files, and whether it holds.
pub(crate) fn report(sweeps: &[Sweep], output: &Output, verbosity: Verbosity) -> Result<(), Failure> {
    let view = view(output);
    // A table on standard output is for a program, which wants nothing else there.
    let piped = output.files().any(|(_, path)| target::is_stdout(path));
    if output.json {
        let json = audits_json(sweeps);
        show::print(&json.map_err(|e| Failure::Internal(format!("an audit that is no JSON: {e}")))?);
    } else if verbosity > Verbosity::Quiet && !piped {
        show::print(&text(sweeps, &view));
        if !view.layers {
            show::print("\nMore: --layers for every run and check, `creditscope explain D1` for a word.\n");
        }
    }
    let names: Vec<String> = sweeps.iter().map(Sweep::name).collect();
    let sets: Vec<(&str, &AuditSet)> =
        names.iter().map(String::as_str).zip(sweeps.iter().map(|sweep| &sweep.set)).collect();
    for (format, path) in output.files() {
        let text = match format {
            "--csv" => csv::text(&sets),
            "--junit" => junit::text(&sets),
            _ => markdown(sweeps, &view, flag),
        };
        target::write(path, &text)?;
    }
    fail_on::check(sweeps.iter().map(|sweep| &sweep.set), &output.fail_on)
}

/// What the command line asks to see.
fn view(output: &Output) -> View {
    View {
        layers: output.layers,
        torch: output.cosine == CosineKind::Torch,
        include_unreliable: output.include_unreliable,
    }
}
