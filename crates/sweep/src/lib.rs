//! Sweeps that outgrow one machine: the same runs in the same directories, handed out to a cluster.
//!
//! A sweep is a folder of runs with a folder `sweep` in it. [`Manifest`] freezes what is to be trained. A [`Submission`] hands
//! some of it out as shards, lists of run names. A worker ([`work`]) trains a shard and leaves a file when it starts a run, while
//! it trains it and when it ends it ([`Attempt`]). [`survey`] tells the state of every run from these files, and asks Slurm only
//! whether somebody is still at work. Every file has one writer and appears whole; there are no locks and there is no database.

mod attempt;
mod error;
mod folder;
mod index;
mod manifest;
mod packing;
mod program;
mod slurm;
mod source;
mod status;
mod submission;
mod submit;
mod worker;

pub use attempt::{Attempt, Beat, End, Ending, Start};
pub use error::Error;
pub use folder::Folder;
pub use index::{ShardIndex, array_index};
pub use manifest::{DataSet, Manifest, Planned, freeze};
pub use packing::{Packing, pack};
pub use program::Program;
pub use slurm::{Element, Queue, QueueState, Slurm};
pub use source::Source;
pub use status::{Report, RunState, State, Wait, survey};
pub use submission::{Kind, Submission};
pub use submit::{HandOut, Handed, Scheduler, Wanted, cancel, hand_out, to_hand_out};
pub use worker::{Outcome, Shard, WorkOptions, Worked, work};
