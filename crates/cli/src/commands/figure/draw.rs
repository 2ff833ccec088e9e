//! From the command line to files.

use super::asked::{Asked, asked};
use super::make::{Made, Press};
use super::prepared::Decided;
use super::{init, list};
use crate::args::{Figure, Verbosity};
use crate::failure::Failure;
use crate::show;
use figures::{Leading, Records, Request};
use std::collections::BTreeSet;

pub(crate) fn run(args: &Figure, verbosity: Verbosity) -> Result<(), Failure> {
    if args.names.len() > 1 && args.names.iter().any(|name| ["all", "list"].contains(&name.as_str())) {
        return Err(Failure::Input("`all` and `list` cannot be combined with other names".to_owned()));
    }
    if args.names[0] == "list" {
        list::run();
        return Ok(());
    }
    if args.names[0] == "init" {
        return init::run(&args.names[1..]);
    }
    let (figures, all) = asked(&args.names)?;
    for (option, is_given, name) in
        [("--image", args.image.is_some(), "audit-hero"), ("--series", !args.series.is_empty(), "series")]
    {
        if is_given && figures.iter().all(|figure| figure.name() != name) {
            return Err(Failure::Input(format!(
                "`{option}` has its place in {name} only, which is not asked for"
            )));
        }
    }
    let decided = Decided::read(&args.options)?;
    let request = request(args)?;
    if verbosity > Verbosity::Quiet {
        for note in &request.records.notes {
            show::complain!("{}", show::hanging(&format!("creditscope: {note}"), 0, 2));
        }
    }
    let mut formats = args.format.clone();
    formats.sort();
    formats.dedup();
    let press =
        Press { formats, dpi: args.dpi, out: args.out.clone(), check: args.check, python: args.python };
    let (listed, files): (Vec<Asked>, Vec<Asked>) =
        figures.into_iter().partition(|figure| figure.options().is_empty());
    let mut made = Made::default();
    for file in files {
        let prepared = decided.prepare(request.clone(), file.options())?;
        press.make(&[file], &prepared, all, &mut made)?;
    }
    if !listed.is_empty() {
        press.make(&listed, &decided.prepare(request, &[])?, all, &mut made)?;
    }
    if made.drawn.is_empty() && !made.failed.is_empty() {
        return Err(Failure::Input(made.failed.join("\n")));
    }
    if made.drawn.is_empty() {
        let reasons: String = made.skipped.iter().map(|reason| format!("\n  {reason}")).collect();
        return Err(Failure::Input(format!("none of the figures can be drawn from these records:{reasons}")));
    }
    if args.check {
        return compared(&made, args);
    }
    if verbosity > Verbosity::Quiet {
        show::print(&press.summary(&made));
    }
    if made.failed.is_empty() { Ok(()) } else { Err(Failure::Input(made.failed.join("\n"))) }
}

fn request(args: &Figure) -> Result<Request, Failure> {
    let records = match (args.from.is_empty(), args.published) {
        (false, _) => paper::records(&args.from).map_err(input)?,
        (true, true) => Records::default(),
        (true, false) => {
            return Err(Failure::Input(
                "say where the records are with `--from runs/`, or give `--published` for the published values"
                    .to_owned(),
            ));
        }
    };
    let leading = match &args.image {
        None => Leading::Diagram,
        Some(path) if path.as_os_str() == "none" => Leading::Nothing,
        Some(path) => Leading::Picture(figures::load_picture(path).map_err(input)?),
    };
    let series = series(args, &records)?;
    let published = args.published.then(paper::published::for_figures);
    Ok(Request { records, published, leading, series, ..Request::default() })
}

/// The series asked for, each of which some log has to hold.
fn series(args: &Figure, records: &Records) -> Result<Vec<String>, Failure> {
    let epochs = records.trials.iter().flat_map(|trial| &trial.epochs);
    let held: BTreeSet<&String> = epochs.flat_map(|epoch| epoch.series.keys()).collect();
    if let Some(name) = args.series.iter().find(|name| !held.contains(name)) {
        let held: Vec<&str> = held.into_iter().map(String::as_str).collect();
        let there = if held.is_empty() { "no series at all".to_owned() } else { held.join(", ") };
        return Err(Failure::Input(format!("`--series {name}`: the logs hold {there}")));
    }
    Ok(args.series.clone())
}

fn input(error: impl std::fmt::Display) -> Failure {
    Failure::Input(error.to_string())
}

fn compared(made: &Made, args: &Figure) -> Result<(), Failure> {
    if made.differences.is_empty() {
        let drawn: Vec<&str> = made.drawn.iter().map(|d| d.0.as_str()).collect();
        show::print(&format!("{} in {}: as the records have it\n", drawn.join(", "), args.out.display()));
        return Ok(());
    }
    show::print(&made.differences.iter().map(|difference| format!("{difference}\n")).collect::<String>());
    Err(Failure::DidNotHold)
}
