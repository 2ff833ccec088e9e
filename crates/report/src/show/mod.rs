//! How things look in plain text: numbers, durations, paragraphs, tables.

mod cell;
mod list;
mod number;
mod paragraph;
mod sparkline;
mod table;
mod text;
mod time;

pub use list::{list, unit_names};
pub use number::{bytes, count, duration, roughly, scientific, share, signed};
pub use paragraph::{WIDTH, hanging, indented, wrap};
pub use sparkline::sparkline;
pub use table::Table;
pub use text::{CODES, Colour, Symbol, Text, Tone};
pub use time::{ago, between, moment};
