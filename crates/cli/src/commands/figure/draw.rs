//! From the command line to files.

use super::asked::asked;
use super::make::{Made, Press};
use super::{init, list};
use crate::args::{Figure, Verbosity};
use crate::failure::Failure;
use crate::show;
use figures::plot::{INK, palette};
use figures::text::TextStyle;
use figures::{Leading, Records, Request, Style, Typesetter};
use std::collections::{BTreeMap, BTreeSet};

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
    let mut style = Style::named(&args.style).expect("the command line takes no other");
    style.width = args.width.map_or(style.width, |inches| 72.0 * inches);
    style.family = args.font.clone().unwrap_or(style.family);
    let setter = Typesetter::new(&style.family).map_err(input)?;
    let request = request(args, &setter)?;
    if verbosity > Verbosity::Quiet {
        for note in &request.records.notes {
            show::complain!("{}", show::hanging(&format!("creditscope: {note}"), 0, 2));
        }
    }
    let mut formats = args.format.clone();
    let out = args.out.clone();
    formats.sort();
    formats.dedup();
    let press = Press {
        style,
        setter,
        formats,
        dpi: args.dpi,
        out,
        check: args.check,
        python: args.python,
        fixed: args.width.is_some(),
    };
    let made = press.make(&figures, &request, all)?;
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

fn request(args: &Figure, setter: &Typesetter) -> Result<Request, Failure> {
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
    let names = names(args, &records, setter)?;
    let leading = match &args.image {
        None => Leading::Diagram,
        Some(path) if path.as_os_str() == "none" => Leading::Nothing,
        Some(path) => Leading::Picture(figures::load_picture(path).map_err(input)?),
    };
    let series = series(args, &records)?;
    let published = args.published.then(paper::published::for_figures);
    let convention = args.convention;
    Ok(Request { records, published, leading, names, series, convention, ..Request::default() })
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

/// Names of rules as the user wants them, each tried before anything is drawn.
fn names(args: &Figure, records: &Records, setter: &Typesetter) -> Result<BTreeMap<String, String>, Failure> {
    let mut names = BTreeMap::new();
    for label in &args.label {
        let wrong = |why: String| Failure::Input(format!("`--label {label}`: {why}"));
        let (rule, name) = label
            .split_once('=')
            .ok_or_else(|| wrong("write it as RULE=NAME, such as `dfa=DFA ($B$ fixed)`".to_owned()))?;
        let style = TextStyle { size: 10.0, bold: false, italic: false, colour: INK };
        setter.set(name, &style).map_err(|e| wrong(e.to_string()))?;
        let is_known = palette::is_listed(rule) || records.trials.iter().any(|trial| trial.rule == rule);
        if !is_known {
            let lower = rule.to_lowercase();
            let hint =
                if palette::is_listed(&lower) { format!("; did you mean `{lower}`?") } else { String::new() };
            return Err(wrong(format!("no run of a rule `{rule}` is among the records{hint}")));
        }
        if name.trim().is_empty() {
            return Err(wrong("the name is empty".to_owned()));
        }
        if names.values().any(|other: &String| other == name) {
            return Err(wrong(format!("`{name}` is another rule's name already")));
        }
        if names.insert(rule.to_owned(), name.to_owned()).is_some() {
            return Err(wrong(format!("`{rule}` has a name already")));
        }
    }
    Ok(names)
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
