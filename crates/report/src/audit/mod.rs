//! What a set of audits found: a page for people, files for programs, and answers to what must not be found.

mod cells;
mod checks;
pub mod csv;
mod detail;
mod fail_on;
mod gamma;
pub mod junit;
mod layers;
mod legend;
mod notes;
mod page;
mod pairs;
mod place;
mod reach;
mod section;
mod sentence;
mod summary;
#[cfg(test)]
mod tests;
mod training;
mod view;
mod warning_words;
mod warnings;
mod words;

pub use fail_on::{Answer, FailOn, answers};
pub use page::{page, unit_tables, verdict};
pub use view::View;
pub use warning_words::{advice, message};
