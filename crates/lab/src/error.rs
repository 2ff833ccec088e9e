//! What can go wrong in the laboratory.

use record::Remedy;
use std::path::PathBuf;
use std::sync::Arc;

/// Messages name the thing and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A recipe that cannot be run.
    #[error("{place}: {message}")]
    Recipe {
        /// File and line, or the flag on the command line.
        place: String,
        /// What is wrong with it.
        message: String,
    },
    /// A key like none that there is.
    #[error("{place}: unknown key `{key}`: a template with every key lists the names")]
    UnknownKey {
        /// File and line, or what else it was given by.
        place: String,
        /// The key.
        key: String,
    },
    /// A run that the plan does not have.
    #[error("no run is called `{id}`: {hint}")]
    UnknownRun {
        /// The name that was asked for.
        id: String,
        /// Names that are close, and the names there are.
        hint: String,
    },
    /// More memory than the machine has.
    #[error(
        "{jobs} runs at a time need about {:.1} GB of memory, this machine has {:.1} GB: choose a smaller `net.d`, fewer \
         `net.blocks`, a smaller `train.batch`, or fewer runs at a time",
        *together as f64 / 1e9, *there as f64 / 1e9
    )]
    Memory {
        /// What they need.
        together: u64,
        /// What there is.
        there: u64,
        /// How many run at once.
        jobs: usize,
    },
    /// The run directory is taken.
    #[error("{} already holds a run: continue it, or choose another folder", path.display())]
    Exists {
        /// The run directory.
        path: PathBuf,
    },
    /// The run directory belongs to something else.
    #[error(
        "{} holds a run of another recipe ({difference}): choose another folder, or remove this one",
        path.display()
    )]
    OtherRecipe {
        /// The run directory.
        path: PathBuf,
        /// The first keys that steer training and differ, or why they cannot be compared.
        difference: String,
    },
    /// Some results of a run are there, but not all that is needed to go on.
    #[error(
        "{} holds {found} but no {missing}: restore the missing file, choose another folder, or remove this one",
        path.display()
    )]
    Remains {
        /// The run directory.
        path: PathBuf,
        /// What is there.
        found: &'static str,
        /// What is not.
        missing: &'static str,
    },
    /// Somebody else writes to the same run.
    #[error("another process writes to {} as well: let one of them finish, then continue", path.display())]
    OtherWriter {
        /// The run directory.
        path: PathBuf,
    },
    /// The data changed under a run.
    #[error("{} was trained on other data (hash {found}, now {now}): restore the data, or train it in another folder", path.display())]
    OtherData {
        /// The run directory.
        path: PathBuf,
        /// Hash when the run started.
        found: String,
        /// Hash now.
        now: String,
    },
    /// The same recipe and seed twice among runs that are to be compared.
    #[error(
        "{} and {} are the same recipe with the same seed, and would count as two seeds: leave one out",
        a.display(), b.display()
    )]
    Twins {
        /// A run.
        a: PathBuf,
        /// Another.
        b: PathBuf,
    },
    /// A checkpoint that cannot be used.
    #[error("{} cannot be used: {problem}. Remove the file to train this run from its start, or restore it from a copy", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Trouble with data; shared by all runs that wanted them.
    #[error(transparent)]
    Data(Arc<data::Error>),
    /// Trouble with files.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// Trouble with a rule.
    #[error(transparent)]
    Rule(#[from] rules::Error),
    /// A fault of the program itself.
    #[error("internal fault in run {id}: {message}")]
    Internal {
        /// The run.
        id: String,
        /// What it said.
        message: String,
    },
}

impl Error {
    /// The settings that help.
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
