//! `creditscope audit` as a user sees it: verdicts, files, exit codes, refusals.

#[path = "../common/mod.rs"]
mod common;
mod files;
mod judged;
mod made;
mod sets;
