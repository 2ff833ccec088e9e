//! Recipes: what is asked for, in TOML, and what is checked to be possible before anything runs.
//!
//! A recipe is a flat set of dotted keys ([`KEYS`]). Any of them may be a list, and the recipe is then the product
//! of all lists. [`Recipe::runs`] turns it into [`RunSpec`]s, the only thing that can be trained.

mod audit;
mod expand;
mod network;
mod parse;
mod reader;
mod resolved;
mod rule;
mod schema;
mod spec;
mod template;

pub use audit::AuditPlan;
pub use expand::Recipe;
pub(crate) use resolved::hex;
pub use schema::{KEYS, Key, Kind, Preset};
pub use spec::{RunSpec, Schedule};
pub use template::template;
