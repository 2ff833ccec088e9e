//! The command lines about what is on disk: `runs` and `data`.

use super::training::seconds;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Runs {
    #[command(subcommand)]
    pub(crate) action: RunsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsAction {
    /// List the runs in a folder, one line each
    #[command(after_help = "Example:  creditscope runs list runs/audit --json")]
    List {
        /// A folder of runs
        #[arg(default_value = "runs")]
        path: PathBuf,
        /// One JSON object per line, with the recipe keys in which the runs differ
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
