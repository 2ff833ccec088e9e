//! Errors of this crate.

use record::Remedy;
use std::path::PathBuf;

/// Messages name the problem and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No sweep where one was expected.
    #[error("{} holds no sweep (no sweep/manifest.json): plan one first, or give its folder", path.display())]
    NoSweep {
        /// The folder.
        path: PathBuf,
    },
    /// Another sweep is planned in the folder.
    #[error(
        "another sweep is planned in {} ({difference}): choose another folder, or, if none of its jobs is left, remove {} (it \
         holds no results) and plan again",
        path.display(), path.join("sweep").display()
    )]
    OtherSweep {
        /// The folder.
        path: PathBuf,
        /// How the two differ.
        difference: String,
    },
    /// The program is not the one that the sweep was planned with.
    #[error("this is not the program that the sweep was planned with ({difference}): use {}", path.display())]
    OtherProgram {
        /// How the two differ.
        difference: String,
        /// The right one.
        path: PathBuf,
    },
    /// Data that differ from those that the sweep was planned with.
    #[error(
        "the data set {name} has hash {found} on this node, but {planned} when the sweep was planned: restore the data"
    )]
    OtherData {
        /// The data set.
        name: String,
        /// Its hash here.
        found: String,
        /// Its hash in the manifest.
        planned: String,
    },
    /// Shards that were never handed out.
    #[error("{} is not there: a shard is named SUBMISSION-INDEX, such as 1-0", path.display())]
    NoShards {
        /// Their file.
        path: PathBuf,
    },
    /// A shard that a submission does not have.
    #[error("there is no shard {shard}: submission {submission} has {shards}, counted from 0")]
    NoShard {
        /// The shard.
        shard: usize,
        /// The submission.
        submission: u64,
        /// Its shards.
        shards: usize,
    },
    /// An array index that cannot be told.
    #[error("{0}")]
    Index(String),
    /// A command of Slurm that is not on this machine.
    #[error(
        "there is no `{command}` on this machine: submit from a login node of the cluster, or print the commands of the shards for another scheduler"
    )]
    NoSlurm {
        /// The command.
        command: String,
    },
    /// The controller did not answer in time. Nothing is known, and nothing is lost.
    #[error(
        "the Slurm controller does not answer ({message}): nothing is lost; give the same command again later"
    )]
    Silent {
        /// What the command said last.
        message: String,
    },
    /// Slurm refused.
    #[error("`{command}` refused: {message}")]
    Refused {
        /// The command.
        command: String,
        /// What it said.
        message: String,
    },
    /// An option for sbatch that would break the sweep.
    #[error("`{option}` cannot be passed on to sbatch: {why}")]
    Option {
        /// The option.
        option: String,
        /// Why not.
        why: &'static str,
    },
    /// A problem with recipes, data or training.
    #[error(transparent)]
    Lab(#[from] lab::Error),
    /// A problem with files.
    #[error(transparent)]
    Record(#[from] record::Error),
}

impl Error {
    /// The settings that help.
    pub fn remedies(&self) -> &'static [Remedy] {
        match self {
            Self::NoSweep { .. } => &[Remedy::PlanSweep],
            Self::OtherSweep { .. } => &[Remedy::OtherFolder],
            Self::NoSlurm { .. } => &[Remedy::Commands],
            Self::Lab(error) => error.remedies(),
            Self::Record(error) => error.remedies(),
            _ => &[],
        }
    }
}
