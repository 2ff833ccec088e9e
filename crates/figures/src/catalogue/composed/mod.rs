//! Figures that a file describes: panels of any series over epochs, layers, rules or keys of recipes. [`keys`] lists what a file may
//! say, `parse` and `section` check it, `select` finds the trials, and a module for each kind of panel draws it.

mod axes;
mod bars;
mod draw;
pub(super) mod field;
mod foot;
mod heat;
pub mod keys;
mod known;
mod lines;
mod parse;
mod plot;
mod quantity;
mod scatter;
pub(super) mod section;
mod select;
mod shipped;
mod spec;

pub use parse::CompositionError;
pub(super) use parse::parsed;
pub use shipped::SHIPPED;
pub(super) use shipped::shipped;
pub use spec::Composition;
