//! `creditscope data list`.

use crate::failure::Failure;
use crate::show::{self, Table};
use data::{Folder, State, Status, catalogue};

pub(super) fn list(folder: &Folder, flag: &str) -> Result<(), Failure> {
    let all = data::list(folder);
    let mut table = Table::new(&["name", "what", "state"], 3);
    for status in &all {
        table.row(vec![status.name.to_owned(), status.title.clone(), state(&status.state)]);
    }
    show::print(&format!(
        "{}\n{}{}\nPlease cite what you use:\n{}",
        table.text(),
        place(folder),
        remedies(&all, flag),
        attributions(&all)
    ));
    Ok(())
}

fn state(state: &State) -> String {
    match state {
        State::BuiltIn => "built in".to_owned(),
        State::Present { layout, .. } => format!("here: {layout}"),
        State::Incomplete { layout, problems, .. } => {
            let more = problems.len().saturating_sub(1);
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            let first = problems.first().map_or("", String::as_str);
            format!("incomplete: {layout}, {first}{more}")
        }
        State::Absent => "missing".to_owned(),
    }
}

fn place(folder: &Folder) -> String {
    let there = if folder.path().is_dir() { "" } else { ", which does not exist yet" };
    format!(
        "Looked in {}{there}. Choose another folder with CREDITSCOPE_DATA or --data.\n",
        folder.path().display()
    )
}

/// How to get what is not here.
fn remedies(all: &[Status], flag: &str) -> String {
    let width = all.iter().map(|status| status.name.len()).max().unwrap_or(0);
    let lacking = all.iter().filter(|status| !matches!(status.state, State::BuiltIn | State::Present { .. }));
    let line = |status: &Status| {
        let size = catalogue::find(status.name).map(|entry| show::bytes(entry.download_bytes()));
        let size = size.map(|size| format!("  # {size}")).unwrap_or_default();
        format!("  creditscope data fetch {:<width$}{flag}{size}\n", status.name)
    };
    let lines: String = lacking.map(line).collect();
    match lines.as_str() {
        "" => String::new(),
        _ => format!(
            "\nGet what is missing, from its publisher or, with --from, from files you have:\n{lines}"
        ),
    }
}

/// Authors and terms; data sets that share them stand together.
fn attributions(all: &[Status]) -> String {
    let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
    for status in all {
        let Some(citation) = status.citation else { continue };
        let licence = status.licence.map(|licence| format!(" ({licence})")).unwrap_or_default();
        let words = format!("{citation}{licence}");
        match groups.iter_mut().find(|group| group.1 == words) {
            Some((names, _)) => names.push(status.name),
            None => groups.push((vec![status.name], words)),
        }
    }
    groups.iter().map(|(names, words)| format!("  {}: {words}\n", names.join(", "))).collect()
}
