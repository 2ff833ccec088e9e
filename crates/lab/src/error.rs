//! Errors of this crate.

use record::Remedy;
use record::escape::path as shown;
use std::path::PathBuf;
use std::sync::Arc;

/// Messages name the problem and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A recipe that cannot be run.
    #[error("{place}: {message}")]
    Recipe {
        /// File and line, or the command-line flag.
        place: String,
        /// What is wrong with it.
        message: String,
    },
    /// An unknown key without a similar known one.
    #[error("{place}: unknown key `{key}`: a template with every key lists the names")]
    UnknownKey {
        /// File and line, or another origin.
        place: String,
        /// The key.
        key: String,
    },
    /// A run that is not in the plan.
    #[error("no run is called `{id}`: {hint}")]
    UnknownRun {
        /// The requested name.
        id: String,
        /// Similar names, and the names in the plan.
        hint: String,
    },
    /// More memory than the machine has.
    #[error(
        "{jobs} runs at a time need about {:.1} GB of memory, this machine has {:.1} GB: choose a smaller `net.d`, fewer \
         `net.blocks`, a smaller `train.batch`, or fewer runs at a time",
        *together as f64 / 1e9, *there as f64 / 1e9
    )]
    Memory {
        /// Memory that they need, in bytes.
        together: u64,
        /// Memory of the machine, in bytes.
        there: u64,
        /// Number of simultaneous runs.
        jobs: usize,
    },
    /// The run directory already exists.
    #[error("{} already contains a run: continue it, or choose another folder", shown(path))]
    Exists {
        /// The run directory.
        path: PathBuf,
    },
    /// The run directory belongs to another run.
    #[error(
        "{} contains a run of another recipe ({difference}): choose another folder, or remove this one",
        shown(path)
    )]
    OtherRecipe {
        /// The run directory.
        path: PathBuf,
        /// The first training keys that differ, or why they cannot be compared.
        difference: String,
    },
    /// A run directory with some results, but not everything needed to continue.
    #[error(
        "{} contains {found} but no {missing}: restore the missing file, choose another folder, or remove this one",
        shown(path)
    )]
    Remains {
        /// The run directory.
        path: PathBuf,
        /// The file that exists.
        found: &'static str,
        /// The file that is missing.
        missing: &'static str,
    },
    /// Another process writes to the same run.
    #[error("another process also writes to {}: wait until it has finished, then continue", shown(path))]
    OtherWriter {
        /// The run directory.
        path: PathBuf,
    },
    /// The log disappeared while the run was writing to it.
    #[error(
        "{} was removed while the run was writing to it: restore it from a copy and continue, or remove the run's \
         folder and train it again",
        shown(path)
    )]
    LogGone {
        /// The log.
        path: PathBuf,
    },
    /// The data changed after the run started.
    #[error(
        "{} was trained on other data (hash {found}, now {now}): restore the data, or train it in another folder",
        shown(path)
    )]
    OtherData {
        /// The run directory.
        path: PathBuf,
        /// Hash when the run started.
        found: String,
        /// Hash now.
        now: String,
    },
    /// The same recipe and seed twice among runs to compare.
    #[error(
        "{} and {} are the same recipe with the same seed, and would count as two seeds: leave one out",
        shown(a),
        shown(b)
    )]
    Twins {
        /// One run.
        a: PathBuf,
        /// The other run.
        b: PathBuf,
    },
    /// A checkpoint that cannot be used.
    #[error(
        "{} cannot be used: {problem}. Remove the file to train this run from its start, or restore it from a copy",
        shown(path)
    )]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A problem with data, shared by all runs that use them.
    #[error(transparent)]
    Data(Arc<data::Error>),
    /// A problem with files.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// A problem with a rule.
    #[error(transparent)]
    Rule(#[from] rules::Error),
    /// A bug in the program itself.
    #[error("internal error in run {id}: {message}")]
    Internal {
        /// The run.
        id: String,
        /// The panic message.
        message: String,
    },
}

impl Error {
    /// The settings that solve the problem.
    pub fn remedies(&self) -> &'static [Remedy] {
        match self {
            Self::UnknownKey { .. } => &[Remedy::Template],
            Self::Memory { .. } => &[Remedy::FewerJobs],
            Self::Exists { .. } => &[Remedy::Resume, Remedy::OtherFolder],
            Self::OtherRecipe { .. } | Self::Remains { .. } | Self::OtherData { .. } => {
                &[Remedy::OtherFolder]
            }
            Self::OtherWriter { .. } => &[Remedy::Resume],
            Self::Record(error) => error.remedies(),
            _ => &[],
        }
    }
}
