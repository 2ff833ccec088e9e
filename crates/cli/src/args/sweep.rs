//! The command line of `creditscope sweep`.

use super::training::{Chosen, seconds};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

pub(super) const EXAMPLES: &str = "Examples:\n  \
    creditscope sweep plan audit.toml\n  \
    creditscope sweep submit audit.toml --per-shard 30m -- -p short --time=1:00:00 --mem=2G\n  \
    creditscope sweep status runs/audit\n  \
    creditscope sweep resume runs/audit\n  \
    creditscope sweep collect runs/audit\n\n\
    Runs are in the same directories, and of the same bytes, as those of `creditscope run`. docs/cluster.md leads from a laptop \
    to a cluster.";

#[derive(Debug, ClapArgs)]
pub(crate) struct Sweep {
    #[command(subcommand)]
    pub(crate) action: SweepAction,
}

/// A recipe or a folder.
#[derive(Debug, ClapArgs)]
pub(crate) struct What {
    /// The recipe, or the folder of its runs
    #[arg(value_name = "RECIPE|DIR")]
    pub(crate) what: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SweepAction {
    /// Freeze what is to be trained: the runs, the program and the data
    #[command(after_help = "Example:  creditscope sweep plan audit.toml --seeds 1,2,3")]
    Plan {
        /// The recipe, in TOML
        recipe: PathBuf,
        #[command(flatten)]
        chosen: Chosen,
        /// Folder of the data sets [default: $CREDITSCOPE_DATA, else ~/.cache/creditscope]
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
    },
    /// Submit what nobody is at work on, planning it first where needed; returns at once
    #[command(after_help = "Examples:\n  \
        creditscope sweep submit audit.toml -- --account=lab -p short --time=1:00:00 --mem=2G\n  \
        creditscope sweep submit audit.toml --dry-run\n  \
        creditscope sweep submit audit.toml --on local\n  \
        creditscope sweep submit audit.toml --shards 8 --commands | parallel\n\n\
        Given twice, it submits nothing twice.")]
    Submit {
        #[command(flatten)]
        what: What,
        #[command(flatten)]
        chosen: Chosen,
        #[command(flatten)]
        handing: Handing,
    },
    /// Show what is done, at work, queued, failed or missing, and the command that mends it
    #[command(
        after_help = "Example:  creditscope sweep status runs/audit\n\nExit code 0 only if every run is done, else 1."
    )]
    Status {
        #[command(flatten)]
        what: What,
        /// Everything as JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        asking: Asking,
    },
    /// Submit what is missing, failed, was killed or interrupted; never what is done, at work or queued
    #[command(after_help = "Example:  creditscope sweep resume runs/audit -- -p long --time=8:00:00")]
    Resume {
        #[command(flatten)]
        what: What,
        #[command(flatten)]
        handing: Handing,
    },
    /// Cancel the jobs of a sweep; what they trained stays
    #[command(after_help = "Example:  creditscope sweep cancel runs/audit")]
    Cancel {
        #[command(flatten)]
        what: What,
        #[command(flatten)]
        asking: Asking,
    },
    /// Write one line per run to a CSV file, and say what is missing; waits for nothing
    #[command(
        after_help = "Example:  creditscope sweep collect runs/audit --csv audit.csv\n\nExit code 0 only if every run is done, else 1."
    )]
    Collect {
        #[command(flatten)]
        what: What,
        /// The file; - is standard output [default: sweep/runs.csv in the folder of the runs]
        #[arg(long, value_name = "FILE")]
        csv: Option<PathBuf>,
        #[command(flatten)]
        asking: Asking,
    },
    /// Train a shard; what a job executes
    #[command(hide = true)]
    Work(Work),
}

/// How Slurm is asked.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Asking {
    /// How many seconds to wait for a controller that does not answer
    #[arg(long, value_name = "S", default_value_t = Asking::default().patience, value_parser = seconds)]
    pub(crate) patience: f64,
}

impl Default for Asking {
    fn default() -> Self {
        Self { patience: sweep::Slurm::default().patience.as_secs_f64() }
    }
}

/// Who trains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Place {
    // A cluster.
    Slurm,
    // This machine.
    Local,
}

/// How shards are handed out.
#[derive(Debug, ClapArgs)]
pub(crate) struct Handing {
    /// Who trains: a Slurm cluster, or this machine
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = Place::Slurm)]
    pub(crate) on: Place,
    /// Print one command per shard, for GNU parallel, HyperQueue, Kubernetes or PBS, and submit nothing
    #[arg(long, conflicts_with_all = ["on", "throttle", "sbatch"])]
    pub(crate) commands: bool,
    /// Number of shards, each an element of a job array [default: as many as have ten minutes of work]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000), conflicts_with = "per_shard")]
    pub(crate) shards: Option<u64>,
    /// Work per shard, as the cost model estimates it for this machine, such as 30m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) per_shard: Option<Duration>,
    /// Most shards at work at a time
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) throttle: Option<u64>,
    /// Only print the script
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Folder of the data sets, on the nodes too [default: $CREDITSCOPE_DATA, else ~/.cache/creditscope]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) care: Care,
    #[command(flatten)]
    pub(crate) asking: Asking,
    /// Options for sbatch, passed on as they are
    #[arg(last = true, value_name = "SBATCH OPTIONS")]
    pub(crate) sbatch: Vec<String>,
}

impl Handing {
    /// What a study needs: packed by its work, passed on to Slurm.
    pub(crate) fn of_study(data: Option<PathBuf>, sbatch: Vec<String>, checkpoint_every: f64) -> Self {
        Self {
            on: Place::Slurm,
            commands: false,
            shards: None,
            per_shard: None,
            throttle: None,
            dry_run: false,
            data,
            care: Care { checkpoint_every, ..Care::default() },
            asking: Asking::default(),
            sbatch,
        }
    }
}

/// How carefully a worker goes about its runs.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Care {
    /// A shard begins no further run after this many failures in a row
    #[arg(long, value_name = "K", default_value_t = Care::default().max_failures, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_failures: u64,
    /// So many seconds a shard then stays on its node, so that the node fails no other shard meanwhile
    #[arg(long, value_name = "S", default_value_t = Care::default().linger, value_parser = seconds)]
    pub(crate) linger: f64,
    /// Seconds between two signs of life of a run
    #[arg(long, value_name = "S", default_value_t = Care::default().heartbeat, value_parser = seconds)]
    pub(crate) heartbeat: f64,
    /// Least seconds between two checkpoints of a run
    #[arg(long, value_name = "S", default_value_t = Care::default().checkpoint_every, value_parser = seconds)]
    pub(crate) checkpoint_every: f64,
}

impl Default for Care {
    fn default() -> Self {
        Self { max_failures: 3, linger: 300.0, heartbeat: 30.0, checkpoint_every: 10.0 }
    }
}

impl Care {
    /// The flags of a worker that differ from its defaults.
    pub(crate) fn words(&self) -> String {
        let usual = Self::default();
        let flags = [
            ("--max-failures", self.max_failures as f64, usual.max_failures as f64),
            ("--linger", self.linger, usual.linger),
            ("--heartbeat", self.heartbeat, usual.heartbeat),
            ("--checkpoint-every", self.checkpoint_every, usual.checkpoint_every),
        ];
        let changed = flags.iter().filter(|(_, value, usual)| value != usual);
        changed.map(|(flag, value, _)| format!(" {flag} {value}")).collect()
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Work {
    /// The folder of the runs
    pub(crate) dir: PathBuf,
    /// Submission and index of the shard, such as 1-0; with 1-auto the scheduler's array says the index
    #[arg(long, value_name = "N-I")]
    pub(crate) shard: sweep::Shard,
    /// Cores to use
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub(crate) cores: u64,
    /// Folder of the data sets
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) care: Care,
}

fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "give a time with its unit, such as 90s, 30m or 2h".to_owned();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let factor = match unit {
        's' => 1.0,
        'm' => 60.0,
        'h' => 3600.0,
        'd' => 86_400.0,
        _ => return Err(wrong()),
    };
    let number = text[..text.len() - 1].trim().parse::<f64>().map_err(|_| wrong())?;
    let time = Duration::try_from_secs_f64(number * factor).map_err(|_| wrong())?;
    if time < Duration::from_secs(1) { Err(wrong()) } else { Ok(time) }
}
