//! `creditscope export`, and `run --tensorboard`.

#[path = "../common/mod.rs"]
mod common;
mod events;
mod made;
mod paper_json;
mod tables;
