//! The command lines that train: `run`, `demo`, `reproduce`, `selftest`, and `init`, which writes a recipe.

use super::rule::RuleName;
use super::sweep::Place;
use clap::Args as ClapArgs;
use std::path::PathBuf;

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

pub(super) fn seconds(text: &str) -> Result<f64, String> {
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

/// What replaces keys of a recipe, and where its runs are.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct Chosen {
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
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Run {
    /// The recipe, in TOML
    pub(crate) recipe: PathBuf,
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// Folder of the data sets [default: $CREDITSCOPE_DATA, else ~/.cache/creditscope]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Only the runs of these names, as --dry-run lists them; directories are those of the whole recipe
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Only runs I, I+N, I+2N, … of the recipe, with 0 ≤ I < N; of those that --only names, where it is given. `auto/N` takes I
    /// from the scheduler's array (Slurm, HyperQueue, Kubernetes, PBS, SGE, SkyPilot), `auto` also N where it says it
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<sweep::ShardIndex>,
    /// Continue the runs that are there; those that have the epochs asked for are left as they are. Keys that do not steer
    /// training (name, eval.*, audit.*, protocol.*, train.stop_after) may have changed
    #[arg(long)]
    pub(crate) resume: bool,
    /// Only show the runs, what they cost and the disk they need
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Also write event files for TensorBoard below this folder, epoch by epoch
    #[arg(long, value_name = "DIR")]
    pub(crate) tensorboard: Option<PathBuf>,
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
    /// Train nothing: only estimate what training the rest would take
    #[arg(long, conflicts_with = "show")]
    pub(crate) dry_run: bool,
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
    /// Write the tables of all studies into this Markdown file, between its marks if it has them, and a figure of all
    /// published values into the folder `figures` beside it
    #[arg(long, value_name = "FILE", conflicts_with = "quick", requires = "name")]
    pub(crate) markdown: Option<PathBuf>,
    /// Folder of the data sets [default: $CREDITSCOPE_DATA, else ~/.cache/creditscope]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) execution: Execution,
    /// Train the missing runs on a cluster; submits and returns, and the same command without it shows what is there
    #[arg(long, value_enum, value_name = "WHERE", conflicts_with_all = ["show", "dry_run", "save", "markdown"], requires = "name")]
    pub(crate) on: Option<Place>,
    /// Options for sbatch, passed on as they are
    #[arg(last = true, value_name = "SBATCH OPTIONS", requires = "on")]
    pub(crate) sbatch: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Init {
    /// File to write, - for standard output; never overwritten
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
    /// List every key, including those that do not apply to this choice
    #[arg(long)]
    pub(crate) all: bool,
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
