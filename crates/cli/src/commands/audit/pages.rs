//! The page that `audit`, `run`, `demo` and `reproduce` end with: one per set of conditions.

use crate::failure::Failure;
use crate::remedy::flag;
use crate::show;
use data::Folder;
use lab::{AuditOptions, Sweep, audit_runs};
use record::{Remedy, Run};
use report::audit::{View, page};
use report::page::Page;

/// Judges runs from their logs, as `audit --log` does, and writes nothing. Runs that broke off before their first epoch have
/// nothing to judge.
pub(crate) fn judged(runs: &[Run], folder: Folder) -> Result<Vec<Sweep>, Failure> {
    let runs: Vec<Run> = runs.iter().filter(|run| run.last().is_some()).cloned().collect();
    let options = AuditOptions { log_only: true, save: false, ..AuditOptions::new(folder) };
    Ok(audit_runs(&runs, &options, &|_| {})?.sweeps)
}

/// Judges runs from the audits in their directories, or from their logs where there is none. Measures and writes nothing.
pub(crate) fn kept(runs: &[Run], folder: Folder) -> Result<Vec<Sweep>, Failure> {
    let runs: Vec<Run> = runs.iter().filter(|run| run.last().is_some()).cloned().collect();
    let options = AuditOptions { measure: false, save: false, ..AuditOptions::new(folder) };
    Ok(audit_runs(&runs, &options, &|_| {})?.sweeps)
}

/// A remedy in the words of a front end.
pub(crate) type Spell = fn(Remedy) -> &'static str;

/// The page of a sweep.
pub(crate) fn page_of(sweep: &Sweep, view: &View, spell: Spell) -> Page {
    page(&sweep.set, view).with_remedies(|remedy| spell(remedy).to_owned())
}

/// The pages for the terminal, in colour where it has it.
pub(crate) fn text(sweeps: &[Sweep], view: &View) -> String {
    let colour = show::of_stdout();
    pages(
        sweeps,
        view,
        flag,
        |name| show::wrap(&format!("Runs with {name}:"), 2) + "\n\n",
        |page| page.text(colour),
    )
}

/// The pages in Markdown.
pub(crate) fn markdown(sweeps: &[Sweep], view: &View, spell: Spell) -> String {
    pages(sweeps, view, spell, |name| format!("## {name}\n\n"), |page| page.markdown())
}

fn pages(
    sweeps: &[Sweep],
    view: &View,
    spell: Spell,
    title: impl Fn(&str) -> String,
    render: impl Fn(&Page) -> String,
) -> String {
    let each = sweeps.iter().map(|sweep| {
        let name = sweep.name();
        let title = if name.is_empty() { name } else { title(&name) };
        title + &render(&page_of(sweep, view, spell))
    });
    each.collect::<Vec<_>>().join("\n\n")
}
