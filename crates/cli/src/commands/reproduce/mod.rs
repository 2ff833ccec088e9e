//! `creditscope reproduce`: a published study run again, and what came out beside what was published.

mod choice;
mod command;
mod compare;
mod lines;
mod main_study;
mod markdown;
mod penalty_study;
mod runs;
mod state;

pub(crate) use command::run;
