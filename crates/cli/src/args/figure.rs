//! The command line of `figure`.

use clap::Args as ClapArgs;
use figures::{Assignment, DPI_RANGE, Format};
use std::path::PathBuf;
use toml::Value;

pub(super) const EXAMPLES: &str = "Examples:\n  creditscope figure list\n  \
    creditscope figure all --from runs/audit --out figures\n  \
    creditscope figure audit-hero --from runs/ --image network.svg --format pdf,png\n  \
    creditscope figure audit-hero --published --out figures\n  \
    creditscope figure init my && creditscope figure my.toml --from runs/\n  \
    creditscope figure series --series cosine,hidden --from runs/\n  \
    creditscope figure audit-hero --from runs/ --venue icml --bare --rules bp,fa,dfa\n  \
    creditscope figure layers --from runs/ --venue beamer --ground dark --settings d=512,L=12\n  \
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
    /// Pixels an inch of PNG files
    #[arg(long, value_name = "N", default_value_t = figures::DPI, value_parser = dpi, allow_negative_numbers = true)]
    pub(crate) dpi: f64,
    /// Your own picture (SVG or PNG) as the first panel of audit-hero, in place of the network's diagram; none for neither
    #[arg(long, value_name = "FILE")]
    pub(crate) image: Option<PathBuf>,
    /// Series of the log that `series` draws over epochs too, such as cosine,hidden [default: all, by layer alone]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) series: Vec<String>,
    /// Draw the published values too, marked as such
    #[arg(long)]
    pub(crate) published: bool,
    /// Write NAME.py too: a short matplotlib script that redraws the figure from its CSV
    #[arg(long)]
    pub(crate) python: bool,
    /// Write nothing; compare with the files that are there, and exit with 1 where they differ
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) options: FigureOptions,
}

/// What the author decides, by flags; `--config` gives the same by a file.
#[derive(Debug, ClapArgs)]
pub(crate) struct FigureOptions {
    /// A file of these options (TOML), such as `rules = ["bp", "dfa"]`; flags override it
    #[arg(long, value_name = "FILE", help_heading = RUNS)]
    pub(crate) config: Option<PathBuf>,
    /// Rules to show, in this order
    #[arg(long, value_name = "RULE,…", help_heading = RUNS)]
    rules: Option<String>,
    /// Which runs, by keys of the recipe or the short d and L; 256|512 for either
    #[arg(long, value_name = "d=512,L=12", help_heading = RUNS)]
    settings: Vec<String>,
    /// neurips, iclr, icml, nature or beamer: width, greatest height, typeface and letters
    #[arg(long, value_name = "VENUE", help_heading = SIZE)]
    venue: Option<String>,
    /// How much of the venue's page is taken: page or column [default: page]
    #[arg(long, value_name = "SPAN", help_heading = SIZE)]
    span: Option<String>,
    /// Without a venue: paper (serif, 5.5 inches) or slides (sans serif, large, 10 inches) [default: paper]
    #[arg(long, value_name = "STYLE", help_heading = SIZE)]
    style: Option<String>,
    /// Width in inches [default: the venue's or the style's]
    #[arg(long, value_name = "IN", allow_hyphen_values = true, help_heading = SIZE)]
    width: Option<String>,
    /// Height in inches [default: as the content has it]
    #[arg(long, value_name = "IN", allow_hyphen_values = true, help_heading = SIZE)]
    height: Option<String>,
    /// Panels in a row
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = SIZE)]
    columns: Option<String>,
    /// Typeface: new-computer-modern, libertinus, sans, or .ttf or .otf files: regular, bold, italic (found beside the first) [default: the
    /// venue's or the style's]
    #[arg(long, value_name = "FONT", help_heading = SIZE)]
    font: Option<String>,
    /// No titles, boxes and foot: they go to NAME.tex, a ready caption in LaTeX, and NAME.txt, a description
    #[arg(long, help_heading = WORDS)]
    bare: bool,
    /// Name of a rule, with TeX between dollar signs; may be given again for others
    #[arg(long, value_name = "RULE=NAME", help_heading = WORDS)]
    label: Vec<String>,
    /// One panel alone, by its letter or name
    #[arg(long, value_name = "PANEL", help_heading = WORDS)]
    panel: Option<String>,
    /// Letters of SVG files as text that can be edited, in place of outlines
    #[arg(long, help_heading = WORDS)]
    svg_text: bool,
    /// What bands and whiskers show of several seeds: sd, sem, minmax, seeds (each of them) or ci95 [default: the figure's]
    #[arg(long, value_name = "SPREAD", help_heading = LOOK)]
    spread: Option<String>,
    /// Where credit is compared with the gradient: credit (where it acts; bp is 1) or input (of its block, as published)
    /// [default: credit; input beside published values]
    #[arg(long, value_name = "credit|input", help_heading = LOOK)]
    convention: Option<String>,
    /// How an axis is divided: linear, log or symlog; PANEL.x is the horizontal one
    #[arg(long, value_name = "PANEL=SCALE", help_heading = LOOK)]
    scale: Vec<String>,
    /// Where an axis begins and ends; PANEL.x is the horizontal one
    #[arg(long, value_name = "PANEL=LOW:HIGH", help_heading = LOOK)]
    range: Vec<String>,
    /// Colour of a rule, such as dfa=#b2182b
    #[arg(long, value_name = "RULE=#RRGGBB", help_heading = LOOK)]
    colour: Vec<String>,
    /// Marker of a rule: circle, square, diamond, up, down, left, right, pentagon, hexagon, star, plus, cross, bar
    #[arg(long, value_name = "RULE=MARKER", help_heading = LOOK)]
    marker: Vec<String>,
    /// What it is drawn on: white, transparent or dark [default: white]
    #[arg(long, value_name = "GROUND", help_heading = LOOK)]
    ground: Option<String>,
}

const RUNS: &str = "Which runs";
const SIZE: &str = "Size and letters";
const WORDS: &str = "Words";
const LOOK: &str = "How values look";

impl FigureOptions {
    /// The flags that were given.
    pub(crate) fn assignments(&self) -> Vec<Assignment> {
        let mut found = Vec::new();
        let mut set = |key: &str, text: &str, value: Value| {
            let place = format!("`--{} {text}`", key.replace('_', "-")).replace(" `", "`");
            found.push(Assignment { place, key: key.to_owned(), value });
        };
        let one = [
            ("rules", &self.rules),
            ("venue", &self.venue),
            ("span", &self.span),
            ("style", &self.style),
            ("width", &self.width),
            ("height", &self.height),
            ("columns", &self.columns),
            ("font", &self.font),
            ("panel", &self.panel),
            ("ground", &self.ground),
            ("spread", &self.spread),
            ("convention", &self.convention),
        ];
        for (key, text) in one {
            text.iter().for_each(|text| set(key, text, Value::String(text.clone())));
        }
        let several = [
            ("settings", &self.settings),
            ("scale", &self.scale),
            ("range", &self.range),
            ("colour", &self.colour),
            ("marker", &self.marker),
        ];
        for (key, texts) in several {
            texts.iter().for_each(|text| set(key, text, Value::String(text.clone())));
        }
        for text in &self.label {
            // A name may hold commas and equals signs.
            let pair = text.split_once('=');
            let table = |(rule, name): (&str, &str)| {
                Value::Table([(rule.to_owned(), name.into())].into_iter().collect())
            };
            set("label", text, pair.map_or_else(|| Value::String(text.clone()), table));
        }
        for (key, is_given) in [("bare", self.bare), ("svg_text", self.svg_text)] {
            if is_given {
                set(key, "", Value::Boolean(true));
            }
        }
        found
    }
}

fn dpi(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if DPI_RANGE.contains(&n) => Ok(n),
        _ => Err(format!("give a number from {} to {}", DPI_RANGE.start(), DPI_RANGE.end())),
    }
}
