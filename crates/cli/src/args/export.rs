//! The command line of `creditscope export`.

use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "Examples:\n  creditscope export csv runs/audit --out runs.csv\n  \
    creditscope export tensorboard runs/audit --out tb\n  \
    creditscope export mlflow runs/audit --url http://localhost:5000\n  \
    creditscope export latex runs/audit --out verdicts.tex\n  \
    creditscope export paper-json runs/audit --out export/\n\n\
    A value that is undefined is never given out as a number. The same command given again adds what is new and doubles \
    nothing.";

#[derive(Debug, ClapArgs)]
pub(crate) struct Export {
    #[command(subcommand)]
    pub(crate) format: ExportFormat,
}

/// Runs that become one file.
#[derive(Debug, ClapArgs)]
pub(crate) struct Table {
    /// Run directories, or folders of them
    #[arg(required = true, value_name = "PATH")]
    pub(crate) runs: Vec<PathBuf>,
    /// File to write, - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExportFormat {
    /// Every number of every epoch as CSV, one row per number
    #[command(after_help = "Example:  creditscope export csv runs/audit --out runs.csv\n\n\
        Columns: run, rule, seed, network, each key in which the runs differ, epoch, layer and unit (none for the network as a \
        whole), series, value, state (defined, unreliable, undefined), why, samples. What audits found is in \
        `creditscope audit --csv`.")]
    Csv(Table),
    /// The same as JSON, one object per line
    #[command(
        after_help = "Example:  creditscope export jsonl runs/audit | jq 'select(.series == \"cosine\")'\n\n\
        What is empty in CSV is null; infinity and NaN are the words \"inf\", \"-inf\", \"nan\"."
    )]
    Jsonl(Table),
    /// Says how to make Parquet from CSV, which this program does not write
    #[command(hide = true)]
    Parquet {
        /// Anything
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Verdicts and accuracies as a table for a paper
    #[command(after_help = "Example:  creditscope export latex runs/audit --out verdicts.tex\n\n\
        An environment `tabular` that needs the package booktabs and no other: a row per network and rule, with mean and \
        standard deviation (n-1) over seeds. Shows the audits that `creditscope audit` left, else what the logs say.")]
    Latex(Table),
    /// Event files: curves, mean and deviation over seeds, recipes, figures
    #[command(
        after_help = "Example:  creditscope export tensorboard runs/audit --out tb && tensorboard --logdir tb\n\n\
        A folder per run, mean/GROUP for the seeds of one thing, the figures that the records allow. Undefined values are not \
        written: believable/SERIES/LAYER says where a value can be believed. Files that are there are completed; those of \
        other runs are refused. `creditscope run --tensorboard DIR` writes while a run trains."
    )]
    Tensorboard {
        /// Run directories, or folders of them
        #[arg(required = true, value_name = "PATH")]
        runs: Vec<PathBuf>,
        /// Folder to write to
        #[arg(short, long, value_name = "DIR")]
        out: PathBuf,
        /// Leave out the figures
        #[arg(long)]
        no_figures: bool,
    },
    /// Send curves, recipes and verdicts to a tracking server of MLflow
    #[command(
        after_help = "Example:  creditscope export mlflow runs/audit --url http://localhost:5000 --experiment audit\n\n\
        A run is known by its training and data: sent again, it gets what it lacks and is not doubled. Undefined values are not \
        sent. The environment may say MLFLOW_TRACKING_URI, and MLFLOW_TRACKING_TOKEN where the server asks for one."
    )]
    Mlflow {
        /// Run directories, or folders of them
        #[arg(required = true, value_name = "PATH")]
        runs: Vec<PathBuf>,
        /// Address of the server [default: $MLFLOW_TRACKING_URI]
        #[arg(long)]
        url: Option<String>,
        /// Experiment; made where there is none
        #[arg(long, value_name = "NAME", default_value = "creditscope")]
        experiment: String,
    },
    /// The JSON tree that the paper's figure scripts read
    #[command(
        after_help = "Example:  creditscope export paper-json runs/audit runs/penalty --out export/\n\n\
        Says which runs were left out and why, and what each script will miss. Files that no export wrote are never \
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
