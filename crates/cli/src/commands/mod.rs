//! One file a command.

pub(crate) mod completions;
pub(crate) mod data;
pub(crate) mod demo;
pub(crate) mod export;
pub(crate) mod init;
pub(crate) mod run;
pub(crate) mod runs;
