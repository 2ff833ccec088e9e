//! From a study's name to runs, audits, figures and a table.

use super::choice::Choice;
use super::{estimate, submit};
use crate::args::{Place, Reproduce, Verbosity};
use crate::call::Call;
use crate::commands::figure;
use crate::commands::run::{AllTrained, folder, train};
use crate::commands::sweep::can_be_planned;
use crate::failure::Failure;
use crate::show;
use data::Folder;
use lab::{AuditOptions, RunSpec, Sweep};
use paper::compare::{self, Asked, Comparison, Overview, find, folders, keep, kept, markdown, overview};
use paper::study::{STUDIES, Study};
use record::Run;
use report::audit::View;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Reproduce, call: Call<'_>) -> Result<(), Failure> {
    let studies: Vec<&Study> = match args.name.as_deref() {
        None if args.dry_run => STUDIES.iter().collect(),
        None => return list(args),
        Some("all") => STUDIES.iter().collect(),
        Some(name) => vec![Study::named(name).ok_or_else(|| unknown(name))?],
    };
    if let Some(file) = &args.markdown {
        if studies.len() < STUDIES.len() {
            return Err(Failure::Input(
                "`--markdown` wants `all`, so that no study's table is lost".to_owned(),
            ));
        }
        markdown::around(file)?;
    }
    let choice = Choice { seeds: &args.seeds, rules: &args.rules };
    choice.check(&studies, args.quick)?;
    if args.dry_run {
        return estimate::print(&studies, args, &choice);
    }
    if args.on == Some(Place::Slurm) {
        can_be_planned(call.host)?;
        return studies.iter().try_for_each(|study| submit::submit(study, args, &choice));
    }
    // A run that was given up is no reason to leave out the studies after it.
    let mut tables = String::new();
    let mut compared = Vec::new();
    let mut all_trained = AllTrained::Yes;
    for study in studies {
        let (table, comparison, trained) = one(study, args, &choice, call)?;
        tables.push_str(&table);
        tables.push('\n');
        compared.push((study, comparison));
        if let AllTrained::No = trained {
            all_trained = AllTrained::No;
        }
    }
    if let Some(file) = &args.markdown {
        let overview = overview(&compared);
        let folder = file.parent().unwrap_or(Path::new("")).join(markdown::FIGURES);
        figure::set::write(Overview::NAME, &overview.drawing, &folder)?;
        markdown::write(file, &overview, tables.trim_end_matches('\n'))?;
    }
    all_trained.check()
}

fn unknown(name: &str) -> Failure {
    let names: Vec<&str> = STUDIES.iter().map(|study| study.name).collect();
    Failure::Input(format!("there is no study `{name}`: choose one of {}, or all", names.join(", ")))
}

/// Where records may be: kept ones, and those of this command.
pub(super) fn places(args: &Reproduce) -> Result<Vec<PathBuf>, Failure> {
    if let Some(missing) = args.results.iter().find(|folder| !folder.is_dir()) {
        return Err(Failure::Input(format!("there is no folder {} to take records from", missing.display())));
    }
    Ok(kept_places(args).into_iter().chain([out(args)]).collect())
}

/// Where records are kept that no command here writes.
pub(super) fn kept_places(args: &Reproduce) -> Vec<PathBuf> {
    if args.results.is_empty() { kept() } else { args.results.clone() }
}

pub(super) fn out(args: &Reproduce) -> PathBuf {
    if args.quick { args.out.join("quick") } else { args.out.clone() }
}

/// The studies, with how much of each is there.
fn list(args: &Reproduce) -> Result<(), Failure> {
    let mut text = String::new();
    for study in &STUDIES {
        let specs = study.recipe(args.quick)?.runs()?;
        let asked = find(&specs, &places(args)?, &folder(args.data.as_deref())?)?;
        let there = asked.iter().filter(|a| a.run.is_some()).count();
        let about = format!("{}; {there} of {} runs are there", study.about, specs.len());
        text.push_str(&format!("{:<11}{}\n", study.name, &show::hanging(&about, 11, 11)[11..]));
    }
    show::print(&format!("{text}\nRun one with:  creditscope reproduce NAME\n"));
    if args.results.is_empty() && kept().is_empty() && !args.quick {
        let hint = "Finished runs are kept in docs/results of the sources: start there, or give that folder as --results, and \
                    none is trained twice.";
        show::print(&format!("\n{}\n", show::wrap(hint, 0)));
    }
    Ok(())
}

/// One study; hands back its table as Markdown, how it compares, and whether all its runs came to their end.
fn one(
    study: &Study,
    args: &Reproduce,
    choice: &Choice<'_>,
    call: Call<'_>,
) -> Result<(String, Comparison, AllTrained), Failure> {
    let specs = study.recipe(args.quick)?.runs()?;
    let data = folder(args.data.as_deref())?;
    let here = out(args).join(study.name);
    let mut asked = find(&specs, &places(args)?, &data)?;
    let missing: Vec<RunSpec> =
        asked.iter().filter(|a| a.run.is_none() && choice.takes(&a.spec)).map(|a| a.spec.clone()).collect();
    let mut trained = AllTrained::Yes;
    let mut sweeps = Vec::new();
    if !args.show {
        if call.verbosity > Verbosity::Quiet {
            let there = asked.iter().filter(|a| a.run.is_some()).count();
            show::print(&opening(study, specs.len(), there, missing.len()));
        }
        if !missing.is_empty() {
            trained = train(&missing, &here, data.clone(), &args.execution, true, call)?;
            asked = find(&specs, &places(args)?, &data)?;
        }
        sweeps = audit(&asked, args, data.clone())?;
        asked = find(&specs, &places(args)?, &data)?;
        if let Some(results) = &args.save {
            save(&asked, results, study.name)?;
        }
    }
    let compared = compare::compare(study.name, &asked, args.quick);
    let there = asked.iter().filter(|a| a.run.is_some()).count();
    if call.verbosity > Verbosity::Quiet {
        let words =
            if args.quick { ", on built-in data and for seconds: nothing to compare with" } else { "" };
        show::print(&format!(
            "\n{}: {there} of {} runs{words}\n\n{}",
            study.name,
            specs.len(),
            compared.table.text()
        ));
        if compared.compared() > 0 {
            let words = format!("{} {}", compared.sentence(), compare::RULE);
            show::print(&format!("\n{}\n", show::wrap(&words, 0)));
        }
        show::print(&format!("\n{}", crate::commands::audit::text(&sweeps, &View::default())));
    }
    if !args.show && !study.figures.is_empty() && there > 0 {
        let drawn = figure::set::draw(&folders(&asked), study.figures, &here.join("figures"))?;
        if call.verbosity > Verbosity::Quiet {
            show::print(&format!("\nFigures, each with its values:\n{drawn}"));
        }
    }
    let table = markdown::table(study.name, study.about, there, specs.len(), &compared);
    Ok((table, compared, trained))
}

/// Copies the records of a study, each under the name that it has there; except those that are in the folder already.
fn save(asked: &[Asked], results: &Path, study: &str) -> Result<(), Failure> {
    let inside = |run: &Run| match (run.path.canonicalize(), results.canonicalize()) {
        (Ok(run), Ok(all)) => run.starts_with(all),
        // A folder that is not there yet holds nothing.
        _ => false,
    };
    for (spec, run) in asked.iter().filter_map(|a| Some((&a.spec, a.run.as_ref()?))) {
        if !inside(run) {
            keep(&run.path, &results.join(study).join(&spec.id))?;
        }
    }
    Ok(())
}

fn opening(study: &Study, all: usize, there: usize, missing: usize) -> String {
    let there_already = if there == 0 { String::new() } else { format!(" {there} are there already.") };
    let left = all - there - missing;
    let left_out = if left == 0 { String::new() } else { format!(" {left} were not asked for.") };
    let text = format!("{}: {}. {all} runs.{there_already}{left_out}", study.name, study.about);
    format!("{}\n\n", show::wrap(&text, 0))
}

/// Audits the runs. A kept record without weights keeps what was measured, and is judged again with the baselines.
fn audit(asked: &[Asked], args: &Reproduce, folder: Folder) -> Result<Vec<Sweep>, Failure> {
    let runs: Vec<Run> = asked.iter().filter_map(|a| a.run.clone()).collect();
    let usual = AuditOptions::new(folder);
    let few = AuditOptions { samples: 128, directions: 4, draws: 3, ..usual.clone() };
    let size = |n: Option<u64>| n.map(|n| n as usize);
    let jobs = size(args.execution.jobs);
    let threads = size(args.execution.threads);
    let options = AuditOptions { jobs, threads, ..if args.quick { few } else { usual } };
    let audited = lab::audit_runs(&runs, &options, &|_| {})?;
    audited.unsaved.iter().for_each(|why| show::complain!("creditscope: {why}"));
    Ok(audited.sweeps)
}
