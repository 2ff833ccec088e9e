//! The keys of a recipe. Parsing, defaults, messages, the template and the identity of a run are all derived from this list.

mod key;
mod keys;
mod list;
mod rule_keys;

pub(super) use key::by;
pub use key::{Key, Kind, Preset};
pub use list::Schema;
