//! `creditscope figure list`.

use crate::show;
use figures::FIGURES;

pub(super) fn run() {
    let width = FIGURES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for entry in FIGURES {
        let words = format!("{}. Needs {}.", entry.about, entry.needs);
        let lines = show::indented(&words, width + 2);
        text.push_str(&format!("{:width$}  {}\n", entry.name, lines.trim_start()));
    }
    show::print(&text);
}
