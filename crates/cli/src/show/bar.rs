//! A bar that counts runs.

use crate::args::Verbosity;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar over so many runs, behind a word. Hidden by itself where standard error is no terminal.
pub(crate) fn bar(word: &str, runs: usize, verbosity: Verbosity) -> ProgressBar {
    let bar = match verbosity {
        Verbosity::Quiet => ProgressBar::hidden(),
        _ => ProgressBar::new(runs as u64),
    };
    let template = format!("{word} {{bar:24}} {{pos}}/{{len}} {{msg}}");
    bar.set_style(ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.tick();
    bar
}
