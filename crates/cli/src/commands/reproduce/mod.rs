//! `creditscope reproduce`: repeats a published study and compares the results with the published ones.

mod choice;
mod command;
mod estimate;
mod submit;

pub(crate) use command::run;
