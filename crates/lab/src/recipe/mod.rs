//! Recipes: the requested experiments in TOML, checked before anything runs.
//!
//! A recipe is a flat set of dotted keys ([`Schema`]). Any of them may be a list, and the recipe is then the product of all
//! lists. [`Recipe::runs`] turns it into [`RunSpec`]s, and only those can be trained.

mod audit_plan;
mod expand;
mod identity;
mod network;
mod own_data;
mod parse;
mod reader;
mod resolved;
mod rule;
mod run_name;
mod schema;
mod spec;
mod template;
mod value;

pub use audit_plan::AuditPlan;
pub use expand::Recipe;
pub use identity::{Identity, Incomparable, training_keys};
pub(crate) use own_data::of_record as own_data_of;
pub(crate) use resolved::hex;
pub use run_name::plain_name;
pub use schema::{Key, Kind, Preset, Schema};
pub use spec::RunSpec;
pub use template::{Template, template};
