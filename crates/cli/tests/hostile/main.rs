//! Surroundings and files that mean no good, or merely ill: signals, limits, pipes and devices in place of files, names and
//! words that would write on the screen.

#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;
mod doors;
mod escapes;
mod limits;
mod signals;
