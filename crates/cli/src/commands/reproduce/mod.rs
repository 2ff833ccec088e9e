//! `creditscope reproduce`: a published study run again, and what came out beside what was published.

mod choice;
mod command;

pub(crate) use command::run;
