//! `creditscope run`, `init`, `completions` and the help, as a user sees them.

#[path = "../common/mod.rs"]
mod common;
mod help;
mod init;
mod made;
mod plans;
mod training;
