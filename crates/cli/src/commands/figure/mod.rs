//! `creditscope figure`.

mod asked;
mod draw;
mod init;
mod list;
mod make;
mod prepared;
pub(crate) mod set;
mod write;

pub(crate) use draw::run;
