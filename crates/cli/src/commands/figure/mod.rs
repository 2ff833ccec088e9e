//! `creditscope figure`.

pub(crate) mod demo;
mod draw;
mod list;
mod make;
mod write;

pub(crate) use draw::run;
