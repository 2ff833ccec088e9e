//! `creditscope data list`.

use crate::failure::Failure;
use crate::show;
use data::{Folder, State, Status, catalogue};
use protocol::gathered;

pub(super) fn list(folder: &Folder, flag: &str) -> Result<(), Failure> {
    let all = data::list(folder);
    let width = all.iter().map(|status| status.name.len()).max().unwrap_or(0);
    let entries: String = all.iter().map(|status| entry(status, width)).collect();
    show::print(&format!(
        "{entries}\n{}{}\nPlease cite what you use:\n{}",
        place(folder),
        remedies(&all, flag),
        attributions(&all)
    ));
    Ok(())
}

/// Name and state, and below them what the data set is.
fn entry(status: &Status, width: usize) -> String {
    let indent = width + 2;
    let state = show::indented(&state(status), indent);
    let title = show::indented(&status.title, indent);
    format!("{:<indent$}{}\n{title}\n", status.name, state.trim_start())
}

fn state(status: &Status) -> String {
    match &status.state {
        State::BuiltIn => "built in".to_owned(),
        State::Present { layout, .. } => format!("here: {layout}"),
        State::Incomplete { layout, problems, .. } => {
            let more = problems.len().saturating_sub(1);
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            let first = problems.first().map_or("", String::as_str);
            format!("incomplete: {layout}, {first}{more}")
        }
        State::Absent => {
            let size = catalogue::find(status.name).map(|entry| show::bytes(entry.download_bytes()));
            format!("missing{}", size.map(|size| format!(", {size} to fetch")).unwrap_or_default())
        }
    }
}

fn place(folder: &Folder) -> String {
    let there = if folder.path().is_dir() { "" } else { ", which does not exist yet" };
    format!(
        "Looked in {}{there}.\nChoose another folder with CREDITSCOPE_DATA or --data.\n",
        folder.path().display()
    )
}

/// How to get what is not here.
fn remedies(all: &[Status], flag: &str) -> String {
    let lacking = all.iter().filter(|status| !matches!(status.state, State::BuiltIn | State::Present { .. }));
    let line = |status: &Status| format!("  creditscope data fetch {}{flag}\n", status.name);
    let lines: String = lacking.map(line).collect();
    match lines.as_str() {
        "" => String::new(),
        _ => format!(
            "\nGet what is missing, from its publisher or, with --from, from files you have:\n{lines}"
        ),
    }
}

/// Authors and terms; data sets that share them are listed together.
fn attributions(all: &[Status]) -> String {
    let words = |status: &Status| {
        let licence = status.licence.map(|licence| format!(" ({licence})")).unwrap_or_default();
        status.citation.map(|citation| (format!("{citation}{licence}"), status.name))
    };
    let groups = gathered(all.iter().filter_map(words));
    let lines = groups.iter().map(|(words, names)| format!("{}: {words}", names.join(", ")));
    lines.map(|line| show::hanging(&line, 2, 4) + "\n").collect()
}
