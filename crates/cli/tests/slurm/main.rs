//! Sweeps on a real Slurm: what crashes, goes missing or is done twice ends in all runs done, with the bytes of a local run.
//!
//! Each test starts a private cluster of its own, whose nodes are all this machine, below a temporary folder. They run one at a
//! time: a machine with two cores is slow enough with one cluster.

#[path = "../common/mod.rs"]
mod common;

mod cluster;
mod controller;
mod crashes;
mod duplicates;
mod files;
mod limits;
mod process;
mod refusals;
mod sweeps;
