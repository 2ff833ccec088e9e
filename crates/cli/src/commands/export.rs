//! `creditscope export`.

use super::runs::{Found, find};
use crate::args::{Export, ExportFormat};
use crate::failure::Failure;
use crate::show;
use record::source::{Report, ScriptNeeds};
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Export) -> Result<(), Failure> {
    match &args.format {
        ExportFormat::SourceJson { runs, out } => source_json(runs, out),
    }
}

/// Writes the source's files and says what came of every run and what each script will find.
fn source_json(paths: &[PathBuf], out: &Path) -> Result<(), Failure> {
    let (mut runs, mut unreadable) = (Vec::new(), Vec::new());
    for Found { path, run } in find(paths)? {
        match run {
            Ok(run) => runs.push(run),
            Err(problem) => {
                unreadable.push((path.display().to_string(), format!("cannot be read: {problem}")))
            }
        }
    }
    let mut report = if runs.is_empty() { Report::default() } else { record::source::export(&runs, out)? };
    report.left_out.splice(0..0, unreadable);
    show::print(&text(&report, out));
    if report.written.is_empty() {
        return Err(Failure::Input(format!(
            "nothing was written to {}: no run given has a place in the source's files, for the reasons above",
            out.display()
        )));
    }
    Ok(())
}

fn text(report: &Report, out: &Path) -> String {
    let mut text = String::new();
    let mut list = |title: &str, lines: &mut dyn Iterator<Item = String>| {
        let lines: String = lines.map(|line| format!("  {line}\n")).collect();
        if !lines.is_empty() {
            let _ = write!(text, "{title}\n{lines}\n");
        }
    };
    list("Written:", &mut report.written.iter().map(|path| path.display().to_string()));
    list("Left out:", &mut together(&report.left_out).into_iter());
    list("To know about what was written:", &mut together(&report.notes).into_iter());
    let gaps = report.gaps.iter().map(|gap| format!("{} in {}: {}", gap.key, gap.file, gap.why));
    list("Keys that the written files lack:", &mut { gaps });
    if !report.written.is_empty() {
        let _ = writeln!(text, "The source's scripts, run in {}:", out.display());
        report.missing.iter().for_each(|needs| text.push_str(&script(needs)));
    }
    text
}

/// Runs of which the same is said stand in one line.
fn together(said: &[(String, String)]) -> Vec<String> {
    let mut groups: Vec<(Vec<&str>, &str)> = Vec::new();
    for (run, words) in said {
        match groups.iter_mut().find(|group| group.1 == words) {
            Some((runs, _)) => runs.push(run),
            None => groups.push((vec![run], words)),
        }
    }
    groups.iter().map(|(runs, words)| format!("{}: {words}", runs.join(", "))).collect()
}

/// Whether a script can run and what it will miss, a line each thing.
fn script(needs: &ScriptNeeds) -> String {
    needs.to_string().lines().map(|line| format!("  {line}\n")).collect()
}
