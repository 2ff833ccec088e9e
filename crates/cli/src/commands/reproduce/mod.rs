//! `creditscope reproduce`: a published study run again, and what came out beside what was published.

mod command;
mod compare;
mod lines;
mod markdown;
mod runs;
mod state;

pub(crate) use command::run;
