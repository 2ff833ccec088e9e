//! How things look in plain text: numbers, durations, paragraphs, tables.

mod number;
mod paragraph;
mod sparkline;
mod table;
mod time;

pub use number::{bytes, count, duration, scientific, share, signed};
pub use paragraph::{WIDTH, hanging, indented, wrap};
pub use sparkline::sparkline;
pub use table::Table;
pub use time::{ago, between, moment};
