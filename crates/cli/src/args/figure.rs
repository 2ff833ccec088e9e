//! The command line of `figure`.

use clap::Args as ClapArgs;
use figures::DPI_RANGE;
use figures::catalogue::Convention;
use figures::{Family, Format, Style};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "Examples:\n  creditscope figure list\n  \
    creditscope figure all --from runs/audit --out figures\n  \
    creditscope figure audit-hero --from runs/ --image network.svg --format pdf,png\n  \
    creditscope figure audit-hero --published --out figures\n  \
    creditscope figure init my && creditscope figure my.toml --from runs/\n  \
    creditscope figure series --series cosine,hidden --from runs/\n  \
    creditscope figure all --from results/ --style slides --width 12\n  \
    creditscope figure all --from runs/ --label 'dfa=DFA ($B$ fixed)' --check\n\n\
    Draws from run directories, their audits, or the JSON files of the paper, and writes NAME.pdf, NAME.png, \
    NAME.svg and the plotted values as NAME.csv. What the records lack is said and drawn as missing. The same records \
    give the same bytes. Exit code 1 where --check finds a difference, 2 where nothing can be drawn.";

#[derive(Debug, ClapArgs)]
pub(crate) struct Figure {
    /// Figures to draw, by name or as files (.toml); `all` for every one that the records allow, `list` to see them,
    /// `init NAME` for a file to start from
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Run directories, folders of them, audits, or the paper's results
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) from: Vec<PathBuf>,
    /// Folder to write to
    #[arg(long, value_name = "DIR", default_value = "figures")]
    pub(crate) out: PathBuf,
    /// Formats
    #[arg(long, value_name = "pdf,png,svg", value_delimiter = ',', default_value = "pdf,png,svg")]
    pub(crate) format: Vec<Format>,
    /// paper: serif, for the text width of a NeurIPS page; slides: sans serif, large
    #[arg(long, value_name = "STYLE", default_value = "paper", value_parser = style)]
    pub(crate) style: String,
    /// Pixels an inch of PNG files
    #[arg(long, value_name = "N", default_value_t = figures::DPI, value_parser = dpi, allow_negative_numbers = true)]
    pub(crate) dpi: f64,
    /// Width in inches [default: 5.5 for paper, 10 for slides]
    #[arg(long, value_name = "IN", value_parser = width, allow_negative_numbers = true)]
    pub(crate) width: Option<f64>,
    /// Typeface: new-computer-modern, libertinus, sans, or a .ttf or .otf file [default: the style's]
    #[arg(long, value_name = "FONT")]
    pub(crate) font: Option<Family>,
    /// Name of a rule, with TeX between dollar signs; may be given again for others
    #[arg(long, value_name = "RULE=NAME")]
    pub(crate) label: Vec<String>,
    /// Your own picture (SVG or PNG) as the first panel of audit-hero, in place of the network's diagram; none for neither
    #[arg(long, value_name = "FILE")]
    pub(crate) image: Option<PathBuf>,
    /// Series of the log that `series` draws over epochs too, such as cosine,hidden [default: all, by layer alone]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) series: Vec<String>,
    /// Where credit is compared with the gradient: credit (where it acts; bp is 1) or input (of its block, as published)
    /// [default: credit; input beside published values]
    #[arg(long, value_name = "credit|input", value_parser = convention)]
    pub(crate) convention: Option<Convention>,
    /// Draw the published values too, marked as such
    #[arg(long)]
    pub(crate) published: bool,
    /// Write NAME.py too: a short matplotlib script that redraws the figure from its CSV
    #[arg(long)]
    pub(crate) python: bool,
    /// Write nothing; compare with the files that are there, and exit with 1 where they differ
    #[arg(long)]
    pub(crate) check: bool,
}

fn style(text: &str) -> Result<String, String> {
    match Style::named(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!("there are {}", Style::NAMES.join(" and "))),
    }
}

fn convention(text: &str) -> Result<Convention, String> {
    let names = || Convention::ALL.iter().map(|convention| convention.name()).collect::<Vec<_>>();
    let found = Convention::ALL.into_iter().find(|convention| convention.name() == text);
    found.ok_or_else(|| format!("there are {}", names().join(" and ")))
}

fn dpi(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if DPI_RANGE.contains(&n) => Ok(n),
        _ => Err(format!("give a number from {} to {}", DPI_RANGE.start(), DPI_RANGE.end())),
    }
}

fn width(text: &str) -> Result<f64, String> {
    match text.trim_end_matches("in").parse::<f64>() {
        Ok(w) if (1.0..=60.0).contains(&w) => Ok(w),
        _ => Err("give inches, from 1 to 60".to_owned()),
    }
}
