//! The command line of `creditscope audit`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args as ClapArgs, Command, Error, ValueEnum};
use report::audit::FailOn;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "Examples:\n  creditscope audit runs/audit\n  \
    creditscope audit runs/audit/dfa-s42 --layers\n  \
    creditscope audit runs/audit --fail-on D1,D2,D3 --junit audit.xml\n  \
    creditscope audit epoch1.npz epoch2.npz --accuracy .31 --frozen-accuracy .35\n  \
    creditscope audit runs/audit --log --csv audit.csv\n\n\
    `creditscope explain D1` says what a check measures and what to do when it fires. Exit code 1 where something \
    named by --fail-on was found.";

/// As many as the protocol is stated for.
pub(crate) const SAMPLES: u64 = protocol::SAMPLES;

#[derive(Debug, ClapArgs)]
pub(crate) struct Audit {
    /// Run directories, folders of runs, or dump files (.npz, .safetensors)
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) measuring: Measuring,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) dumps: Dumps,
}

/// What is measured, and on what.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Measuring")]
pub(crate) struct Measuring {
    /// Samples to measure on, the first of the test set
    #[arg(long, value_name = "N", default_value_t = SAMPLES, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) samples: u64,
    /// Random directions per sample for ρ; 0 leaves ρ out
    #[arg(long, value_name = "N", default_value_t = protocol::DIRECTIONS, value_parser = clap::value_parser!(u64).range(..=4096))]
    pub(crate) directions: u64,
    /// Draws of each null; 0 leaves nulls out
    #[arg(long, value_name = "N", default_value_t = protocol::DRAWS, value_parser = clap::value_parser!(u64).range(..=4096))]
    pub(crate) draws: u64,
    /// Train a linear probe at each layer
    #[arg(long, conflicts_with = "log")]
    pub(crate) probe: bool,
    /// Judge from the logs alone, measure nothing
    #[arg(long)]
    pub(crate) log: bool,
    /// Put runs of different conditions into one table
    #[arg(long)]
    pub(crate) mixed: bool,
    /// Measure again though audit.json is there
    #[arg(long, conflicts_with = "log")]
    pub(crate) again: bool,
    /// Folder of the data sets [default: $CREDITSCOPE_DATA, else ~/.cache/creditscope]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Runs to measure at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub(crate) jobs: Option<u64>,
    /// Threads per audit [default: cores / jobs]; the result is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub(crate) threads: Option<u64>,
}

/// What is shown and written.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Every check, run and null, and the cosine at the input of blocks
    #[arg(long)]
    pub(crate) layers: bool,
    /// The cosine as it is, or as PyTorch clamps it
    #[arg(long, value_enum, value_name = "KIND", default_value_t = CosineKind::Exact, ignore_case = true)]
    pub(crate) cosine: CosineKind,
    /// Γ over unreliable cosines too, as usually published
    #[arg(long)]
    pub(crate) include_unreliable: bool,
    /// The whole audit as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write every number to a CSV file, one per row; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write checks and units as JUnit test cases; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write the page as Markdown; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// Exit with code 1 where one of these is found; frozen baselines do not count
    #[arg(long, value_parser = Trimmed, value_name = "LIST", value_delimiter = ',', ignore_case = true)]
    pub(crate) fail_on: Vec<FailOn>,
}

impl Output {
    /// The files that are asked for, each with its flag.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [("--csv", &self.csv), ("--junit", &self.junit), ("--markdown", &self.markdown)];
        files.into_iter().filter_map(|(flag, path)| Some((flag, path.as_deref()?)))
    }
}

/// What a dump cannot know of itself.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Dumps")]
pub(crate) struct Dumps {
    /// Test accuracy of the dumped network, for D3
    #[arg(long, value_name = "X", value_parser = share)]
    pub(crate) accuracy: Option<f64>,
    /// Test accuracy of the same network with frozen blocks, for D3
    #[arg(long, value_name = "X", value_parser = share)]
    pub(crate) frozen_accuracy: Option<f64>,
    /// Samples that the dumped gradients are a mean over [default: those in the arrays]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) mean_over: Option<u64>,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if (0.0..=1.0).contains(&x) => Ok(x),
        _ => Err("give a share between 0 and 1, such as .31".to_owned()),
    }
}

/// Which cosine is shown. The variants have no help of their own, which would stretch that of the whole command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CosineKind {
    // As it is.
    Exact,
    // With PyTorch's floor of 1e-8 under each norm.
    Torch,
}

/// A word of a list, without the blanks that people put behind commas.
#[derive(Clone, Copy, Debug)]
struct Trimmed;

impl TypedValueParser for Trimmed {
    type Value = FailOn;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<FailOn, Error> {
        let word = value.to_str().map_or(value, |word| OsStr::new(word.trim()));
        let word = PossibleValuesParser::new(names()).parse_ref(command, arg, word)?;
        let named = FailOn::NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(&word));
        named.map(|&(_, on)| on).ok_or_else(|| Error::new(ErrorKind::InvalidValue))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names().map(PossibleValue::new)))
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    FailOn::NAMED.iter().map(|&(name, _)| name)
}
