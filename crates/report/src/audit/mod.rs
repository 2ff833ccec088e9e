//! What a set of audits found: a page for people, files for programs, and answers to `what must not be`.

mod cells;
mod checks;
pub mod csv;
mod detail;
mod fail_on;
mod gamma;
mod headline;
pub mod junit;
mod layers;
mod legend;
mod notes;
pub mod page;
mod pairs;
mod place;
#[cfg(test)]
mod sample;
mod section;
#[cfg(test)]
mod tests;
mod view;
mod warnings;
mod words;

pub use fail_on::{Answer, FailOn, answers};
pub use view::View;
