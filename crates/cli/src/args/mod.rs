//! The command line.

mod audit;
mod export;
mod figure;
mod records;
mod report;
mod rule;
mod serve;
mod sweep;
mod training;

pub(crate) use audit::{Audit, CosineKind, Output, SAMPLES};
pub(crate) use export::{Export, ExportFormat, Table};
pub(crate) use figure::{Figure, FigureOptions};
pub(crate) use records::{Data, DataAction, Runs, RunsAction};
pub(crate) use report::{PageFormat, Report};
pub(crate) use serve::Serve;
pub(crate) use sweep::{Asking, Care, Handing, Place, Sweep, SweepAction, Work};
pub(crate) use training::{Chosen, Demo, Execution, Init, Reproduce, Run, Selftest};

use clap::{Parser, Subcommand};

/// Trains networks with backpropagation, feedback alignment and their kin under equal conditions, and says layer by
/// layer whether the learning signal can be trusted.
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
        after_help = "Example:  creditscope demo\n\nWorks offline with built-in data, and takes under a minute on two cores."
    )]
    Demo(Demo),
    /// Train every run of a recipe
    #[command(after_help = "Examples:\n  creditscope run audit.toml --dry-run\n  \
        creditscope run audit.toml --seeds 42,123,456 --set train.epochs=30\n  \
        creditscope run audit.toml --set 'optim.lr=[1e-3,3e-4]' --jobs 2\n  \
        creditscope run audit.toml --resume\n  \
        creditscope run audit.toml --tensorboard tb\n  \
        creditscope run audit.toml --only dfa-s42,dfa-frozen-s42\n  \
        creditscope run audit.toml --shard 0/8")]
    Run(Run),
    /// Train a recipe on a cluster: plan, submit, watch, mend, collect
    #[command(after_help = sweep::EXAMPLES)]
    Sweep(Sweep),
    /// Repeat a published study, and compare the results with the published ones
    #[command(after_help = "Examples:\n  creditscope reproduce\n  creditscope reproduce toy-lq\n  \
        creditscope reproduce main --quick\n  creditscope reproduce deep --seeds 42 --rules bp,dfa\n  \
        creditscope reproduce all --show\n  \
        creditscope reproduce main --on slurm -- -p long --time=8:00:00\n\n\
        An interrupted study goes on where it stopped when the command is given again. A finished run is never trained \
        again: its record counts wherever it is, if recipe and data are the same.")]
    Reproduce(Reproduce),
    /// Write a commented recipe to start from
    #[command(after_help = "Examples:\n  creditscope init audit.toml\n  \
        creditscope init small.toml --data digits --net vit --rules bp,kolen_pollack\n\n\
        Lists the keys that apply to the chosen data, network and rules; with --all every key.")]
    Init(Init),
    /// List, show or compare runs
    #[command(
        after_help = "Examples:\n  creditscope runs list runs/\n  creditscope runs show runs/audit/dfa-s42\n  \
        creditscope runs diff runs/audit/bp-s42 runs/audit/dfa-s42"
    )]
    Runs(Runs),
    /// Judge runs, or tensors dumped from elsewhere: where the credit can be trusted
    #[command(after_help = audit::EXAMPLES)]
    Audit(Audit),
    /// Draw figures from runs, audits or the files of the paper
    #[command(after_help = figure::EXAMPLES)]
    Figure(Box<Figure>),
    /// Put verdicts, figures and every run on one page, to read, mail or print
    #[command(after_help = report::EXAMPLES)]
    Report(Report),
    /// Show the page of a report in a browser while runs go on
    #[command(after_help = serve::EXAMPLES)]
    Serve(Serve),
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
    /// Hand runs to other programs: tables, TensorBoard, MLflow, LaTeX
    #[command(after_help = export::EXAMPLES)]
    Export(Export),
    /// Break credit on purpose and show that the audit notices
    #[command(after_help = "Example:  creditscope selftest\n\n\
        Trains small networks, some with a fault planted in their credit, feedback or steps, and audits their directories \
        in another process that does not know which. Works offline, takes under a minute. Exit code 1 where a fault is \
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
