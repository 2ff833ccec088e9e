//! The command line.

mod audit;
mod figure;
mod rule;

pub(crate) use audit::{Audit, CosineKind, Output, SAMPLES};
pub(crate) use figure::Figure;

use clap::{Args as ClapArgs, Parser, Subcommand};
use rule::RuleName;
use std::path::PathBuf;

/// Trains networks with backpropagation, feedback alignment and their kin under equal conditions, and says layer by
/// layer which learning signal can be believed.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print errors only
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Print a line for every epoch, also when piped
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    verbose: bool,
}

const EXIT_CODES: &str = "Start with:  creditscope demo\n\n\
    Exit codes: 0 all is well; 1 something asked for did not hold (a verdict, a run that was stopped, a hash); \
    2 usage or bad input; 3 a fault of the program; 130 interrupted.";

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}

impl Args {
    pub(crate) fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Train bp, fa, dfa and their frozen baselines on a built-in task, and say what came out
    #[command(
        after_help = "Example:  creditscope demo\n\nNeeds no data and no network, and takes under a minute on two cores."
    )]
    Demo(Demo),
    /// Train every run of a recipe
    #[command(after_help = "Examples:\n  creditscope run audit.toml --dry-run\n  \
        creditscope run audit.toml --seeds 42,123,456 --set train.epochs=30\n  \
        creditscope run audit.toml --set 'optim.lr=[1e-3,3e-4]' --jobs 2\n  \
        creditscope run audit.toml --resume\n  \
        creditscope run audit.toml --only dfa-s42,dfa-frozen-s42\n  \
        creditscope run audit.toml --shard 0/8")]
    Run(Run),
    /// Run a published study again, and show what came out beside what was published
    #[command(after_help = "Examples:\n  creditscope reproduce\n  creditscope reproduce toy-lq\n  \
        creditscope reproduce main --quick\n  creditscope reproduce deep --seeds 42 --rules bp,dfa\n  \
        creditscope reproduce all --show\n\n\
        An interrupted study goes on where it stopped when the command is given again. A finished run is never trained \
        again: its record counts wherever it lies, if recipe and data are the same.")]
    Reproduce(Reproduce),
    /// Write a commented recipe to start from
    #[command(after_help = "Examples:\n  creditscope init audit.toml\n  \
        creditscope init small.toml --data digits --net vit --rules bp,kolen_pollack\n\n\
        Lists the keys that mean something beside the chosen data, network and rules; with --all every key.")]
    Init(Init),
    /// List, show or compare runs
    #[command(
        after_help = "Examples:\n  creditscope runs list runs/\n  creditscope runs show runs/audit/dfa-s42\n  \
        creditscope runs diff runs/audit/bp-s42 runs/audit/dfa-s42"
    )]
    Runs(Runs),
    /// Judge runs, or tensors dumped from elsewhere: which credit can be believed
    #[command(after_help = audit::EXAMPLES)]
    Audit(Audit),
    /// Draw figures from runs, audits or the files of the paper
    #[command(after_help = figure::EXAMPLES)]
    Figure(Figure),
    /// Say what a check, a measurement or a word of an audit means, and what to do about it
    #[command(after_help = "Examples:\n  creditscope explain\n  creditscope explain D2\n  \
        creditscope explain one unit dominates")]
    Explain {
        /// Any of those listed without one, or a word of an audit such as `misleading`
        topic: Vec<String>,
    },
    /// List, verify or fetch data sets
    #[command(after_help = "Examples:\n  creditscope data list\n  creditscope data fetch cifar10\n  \
        creditscope data fetch cifar10 --from ~/Downloads/cifar-10-python.tar.gz\n  creditscope data verify")]
    Data(Data),
    /// Write runs in the file formats of other programs
    #[command(after_help = "Example:  creditscope export paper-json runs/audit --out export/")]
    Export(Export),
    /// Break credit on purpose and show that the audit notices
    #[command(after_help = "Example:  creditscope selftest\n\n\
        Trains small networks, some with a fault planted in their credit, feedback or steps, and audits their directories \
        in another process that is not told which. Needs no data, takes under a minute. Exit code 1 where a fault is \
        missed or a healthy run accused.")]
    Selftest(Selftest),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:  creditscope completions bash > ~/.local/share/bash-completion/completions/creditscope"
    )]
    Completions {
        /// bash, elvish, fish, powershell or zsh
        shell: clap_complete::Shell,
    },
}

/// How runs are carried out; none of it changes a result.
#[derive(Debug, ClapArgs)]
pub(crate) struct Execution {
    /// Runs at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub(crate) jobs: Option<u64>,
    /// Threads per run [default: cores / jobs]; the result is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub(crate) threads: Option<u64>,
    /// Least seconds between two checkpoints of a run
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = seconds)]
    pub(crate) checkpoint_every: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if (0.0..=1e9).contains(&s) => Ok(s),
        _ => Err("give a number of seconds, 0 or more".to_owned()),
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Demo {
    /// Folder for the runs; what it holds already is continued, not trained again
    #[arg(long, value_name = "DIR", default_value = "runs/demo")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) execution: Execution,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Run {
    /// The recipe, in TOML
    pub(crate) recipe: PathBuf,
    /// Override a key of the recipe; a list multiplies the runs
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Seeds, in place of the recipe's
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    pub(crate) seeds: Vec<String>,
    /// Rules, in place of the recipe's
    #[arg(long, value_name = "RULE,…", value_delimiter = ',', value_parser = RuleName, hide_possible_values = true)]
    pub(crate) rules: Vec<String>,
    /// Folder for the runs [default: runs/NAME, with the recipe's name]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Folder of the data sets [default: $CREDITSCOPE_DATA, else ~/.cache/creditscope]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Only the runs of these names, as --dry-run lists them; directories are those of the whole recipe
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Only runs I, I+N, I+2N, … of the recipe, with 0 ≤ I < N; of those that --only names, where it is given
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<lab::Shard>,
    /// Continue the runs that are there; those that have the epochs asked for are left as they are. Keys that do not steer
    /// training (name, eval.*, audit.*, protocol.*, train.stop_after) may have changed
    #[arg(long)]
    pub(crate) resume: bool,
    /// Only show the runs, what they cost and the disk they need
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) execution: Execution,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Reproduce {
    /// The study, or `all`; the studies are listed if left out
    pub(crate) name: Option<String>,
    /// The same on small built-in data for seconds, to see that everything works
    #[arg(long)]
    pub(crate) quick: bool,
    /// Train nothing: only show what is there; the rest is *not run*
    #[arg(long)]
    pub(crate) show: bool,
    /// Train only runs of these seeds; what is there of the others is shown all the same
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', conflicts_with = "show", requires = "name")]
    pub(crate) seeds: Vec<u64>,
    /// Train only runs of these rules; what is there of the others is shown all the same
    #[arg(long, value_name = "RULE,…", value_delimiter = ',', value_parser = RuleName, hide_possible_values = true)]
    #[arg(conflicts_with = "show", requires = "name")]
    pub(crate) rules: Vec<String>,
    /// Folder for runs and figures
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    pub(crate) out: PathBuf,
    /// Folder of records that need not be computed again; may be given more than once [default: docs/results,
    /// where it is]
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Vec<PathBuf>,
    /// Copy the small files of finished runs, without weights, to this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["quick", "show"], requires = "name")]
    pub(crate) save: Option<PathBuf>,
    /// Write the tables of all studies into this Markdown file, between its marks if it has them
    #[arg(long, value_name = "FILE", conflicts_with = "quick", requires = "name")]
    pub(crate) markdown: Option<PathBuf>,
    /// Folder of the data sets [default: $CREDITSCOPE_DATA, else ~/.cache/creditscope]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) execution: Execution,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Init {
    /// File to write; never overwritten
    #[arg(default_value = "recipe.toml")]
    pub(crate) file: PathBuf,
    /// The data set [default: cifar10]
    #[arg(long, value_name = "NAME")]
    pub(crate) data: Option<String>,
    /// The network [default: resmlp; lq for the data of that name]
    #[arg(long, value_name = "NAME")]
    pub(crate) net: Option<String>,
    /// The rules [default: bp,fa,dfa]
    #[arg(long, value_name = "RULE,…", value_delimiter = ',')]
    pub(crate) rules: Vec<String>,
    /// List every key, also those that mean nothing beside this choice
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Runs {
    #[command(subcommand)]
    pub(crate) action: RunsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsAction {
    /// List the runs in a folder, a line each
    #[command(after_help = "Example:  creditscope runs list runs/audit --json")]
    List {
        /// A folder of runs
        #[arg(default_value = "runs")]
        path: PathBuf,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Show one run: where it came from, how it went, what was measured last
    #[command(after_help = "Example:  creditscope runs show runs/audit/dfa-s42")]
    Show {
        /// A run directory
        run: PathBuf,
        /// The whole record as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show in what two runs differ: recipe, data, machine, outcome
    #[command(after_help = "Example:  creditscope runs diff runs/audit/bp-s42 runs/audit/dfa-s42\n\n\
        Runs of the same training, data, numerics and processor have the same results to the byte. Exit code 1 where \
        they do not.")]
    Diff {
        /// A run directory
        a: PathBuf,
        /// Another
        b: PathBuf,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Data {
    #[command(subcommand)]
    pub(crate) action: DataAction,
    /// Folder of the data sets [default: $CREDITSCOPE_DATA, else ~/.cache/creditscope]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DataAction {
    /// What is here, what is missing, how to get it
    #[command(after_help = "Example:  creditscope data list")]
    List,
    /// Check the files of a data set, or of all that are here, against their published hashes
    #[command(
        after_help = "Example:  creditscope data verify cifar10\n\nExit code 1 where a file is wrong or missing."
    )]
    Verify {
        /// A data set; all that are here if left out
        name: Option<String>,
    },
    /// Download a data set, or take it from files already on this machine
    #[command(after_help = "Examples:\n  creditscope data fetch mnist\n  \
        creditscope data fetch cifar10 --from cifar-10-binary.tar.gz\n\n\
        An interrupted download goes on where it stopped when the command is given again.")]
    Fetch {
        /// A data set
        name: String,
        /// Archive or folder to take it from instead of downloading
        #[arg(long, value_name = "FILE_OR_DIR")]
        from: Option<PathBuf>,
        /// Address to download from in place of the official one
        #[arg(long, value_name = "URL", conflicts_with = "from")]
        mirror: Option<String>,
        /// Seconds without a byte after which a download is given up
        #[arg(long, value_name = "S", default_value_t = 30.0, value_parser = seconds)]
        stall: f64,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Export {
    #[command(subcommand)]
    pub(crate) format: ExportFormat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExportFormat {
    /// The JSON tree that the paper's figure scripts read
    #[command(
        after_help = "Example:  creditscope export paper-json runs/audit runs/penalty --out export/\n\n\
        Tells which runs were left out and why, and what each script will miss. Files that no export wrote are never \
        overwritten. Exit code 2 where nothing could be written."
    )]
    PaperJson {
        /// Run directories, or folders of them
        #[arg(required = true)]
        runs: Vec<PathBuf>,
        /// Folder to write to
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Selftest {
    /// Seed of the runs, and of where the faults are planted
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    pub(crate) seed: u64,
    /// Keep the run directories here [default: a temporary folder, removed at the end]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// The outcome as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
