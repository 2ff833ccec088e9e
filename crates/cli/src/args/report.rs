//! The command line of `creditscope report`.

use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "Examples:\n  creditscope report runs/audit\n  \
    creditscope report runs/audit runs/penalty -o report.html --title 'Credit, audited'\n  \
    creditscope report runs/audit --format md -o REPORT.md\n  \
    creditscope report /shared/sweep -o /shared/report.html --refresh 60\n\n\
    The page is one file that loads nothing: verdicts, sentences, warnings, figures, tables of every run and definitions \
    can be read without script, which adds filters, values under the cursor, comparisons and heat maps. It shows the \
    audits that `creditscope audit` left, and measures nothing. The same records give the same bytes.";

#[derive(Debug, ClapArgs)]
pub(crate) struct Report {
    /// Run directories, or folders of them
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// File to write; - for standard output [default: report.html, or report.md]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// html: one file with everything; md: verdicts and runs for a pull request or a README [default: by the file's name]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<PageFormat>,
    /// Title of the page [default: the folders' names]
    #[arg(long, value_name = "WORDS")]
    pub(crate) title: Option<String>,
    /// Keep the curves of single runs, however large the page gets
    #[arg(long)]
    pub(crate) full: bool,
    /// Write the page again every S seconds while runs go on, until Ctrl-C; an open page reads itself again
    #[arg(long, value_name = "S", num_args = 0..=1, default_missing_value = "30", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) refresh: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
pub(crate) enum PageFormat {
    Html,
    Md,
}
