//! `creditscope figure list`.

use crate::show;
use figures::Entry;
pub(super) use paper::all_figures as all;

/// The figure of that name.
pub(super) fn find(name: &str) -> Option<&'static Entry> {
    all().find(|entry| entry.name == name)
}

/// Names that are like this one, the likest first.
pub(super) fn suggestions(name: &str) -> Vec<&'static str> {
    let likeness = |entry: &&Entry| strsim::jaro_winkler(name, entry.name);
    let mut near: Vec<&Entry> = all().filter(|e| likeness(e) > 0.75 || e.name.contains(name)).collect();
    near.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    near.into_iter().take(3).map(|entry| entry.name).collect()
}

pub(super) fn run() {
    let width = all().map(|entry| entry.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for entry in all() {
        let words = format!("{}. Needs {}.", entry.about, entry.needs);
        let lines = show::indented(&words, width + 2);
        text.push_str(&format!("{:width$}  {}\n", entry.name, lines.trim_start()));
    }
    show::print(&text);
}
