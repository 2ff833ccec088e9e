//! `creditscope runs`: what it prints is what the run directories contain.

#[path = "../common/mod.rs"]
mod common;
mod diff;
mod list;
mod made;
mod show;
mod width;
