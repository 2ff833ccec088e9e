//! One file a command.

pub(crate) mod audit;
pub(crate) mod completions;
pub(crate) mod data;
pub(crate) mod demo;
mod dry_run;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod figure;
pub(crate) mod init;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod selftest;
pub(crate) mod serve;
pub(crate) mod sweep;
mod watch;
