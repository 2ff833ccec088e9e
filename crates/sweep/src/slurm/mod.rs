//! Slurm as child processes: `sbatch`, `squeue`, `scancel`, `scontrol`, with explicit text formats.

mod command;
mod queue;
mod script;
mod settle;

pub use command::Slurm;
pub use queue::{Element, Queue, QueueState};
pub(crate) use script::{Script, check_options, cores, memory, quoted, script};
