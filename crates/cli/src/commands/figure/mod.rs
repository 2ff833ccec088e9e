//! `creditscope figure`.

mod draw;
mod list;
mod make;
pub(crate) mod set;
mod write;

pub(crate) use draw::run;
