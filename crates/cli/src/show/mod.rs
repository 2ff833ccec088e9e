//! The terminal: printing, colour, lines of JSON. How numbers and tables look is decided in `report`.

mod bar;
mod colour;
mod json;
mod print;
mod shell;
mod tick;

pub(crate) use bar::bar;
pub(crate) use colour::of_stdout;
pub(crate) use json::{number as json_number, object as json_object};
pub(crate) use print::{complain, print, printed};
pub(crate) use report::show::{
    Table, ago, between, bytes, count, duration, hanging, indented, moment, roughly, scientific, share,
    signed, sparkline, wrap,
};
pub(crate) use shell::shell_word;
pub(crate) use tick::tick;
