//! The catalogue: every figure by name, one file each; and what figures are composed of, also those of other crates:
//! [`choose`] the trials, draw their [`curves`], [`layers`] and [`plain`] bars, and say what they mean ([`meaning`]).

mod architecture;
mod audit_hero;
pub mod choose;
mod cifar_state_vs_credit;
mod composed;
pub mod convention;
pub mod curves;
mod dissociation;
pub mod layers;
mod list;
pub mod meaning;
mod normalisation;
mod nulls;
pub mod options;
pub mod plain;
mod published;
pub mod request;
mod sentences;
mod series;
pub mod several;
mod verdicts;

pub use composed::{Composition, CompositionError, SHIPPED, keys};
pub use convention::Convention;
pub use list::{Entry, FIGURES, find};
pub use options::{Assignment, KEYS, OptionError, Options, Refusal, Span, VENUES, Venue};
pub use published::{Published, PublishedAccuracies, PublishedRule};
pub use request::{CatalogueError, Drawing, Leading, Request};
